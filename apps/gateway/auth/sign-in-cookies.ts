import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '#libs/contracts';
import { SiteAddress } from '../answers/site-address.js';

/** Cookies that bind a sign-in with several steps to one browser. They are `SameSite=Lax`, because Google redirects back from another site. */
@Injectable()
export class SignInCookies {
  constructor(private readonly siteAddress: SiteAddress) {}

  /** The secret that binds a sign-in or a confirmation in progress at Google to the browser. */
  googleSecret({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.googleName];
  }

  setGoogleSecret(reply: FastifyReply, secret: string, expires: Date): void {
    this.write(reply, this.googleName, secret, expires);
  }

  /** For a sign-in between its two steps. */
  pendingToken({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.pendingName];
  }

  setPendingTokenIfSecondFactorRequired(reply: FastifyReply, failure: unknown): void {
    const pending = failure instanceof DomainError ? failure.details.secondFactor : undefined;
    if (pending) this.write(reply, this.pendingName, pending.token, new Date(pending.expiresAt));
  }

  clearPendingToken(reply: FastifyReply): void {
    this.write(reply, this.pendingName, '', new Date(0));
  }

  private write(reply: FastifyReply, name: string, value: string, expires: Date): void {
    const { isSecure: secure } = this.siteAddress;
    reply.setCookie(name, value, { path: '/', httpOnly: true, sameSite: 'lax', secure, expires });
  }

  private get pendingName(): string {
    return this.siteAddress.isSecure ? '__Host-sign_in' : 'sign_in';
  }

  private get googleName(): string {
    return this.siteAddress.isSecure ? '__Host-google_sign_in' : 'google_sign_in';
  }
}
