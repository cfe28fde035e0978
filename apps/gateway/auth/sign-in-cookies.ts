import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '#libs/contracts';
import { SiteAddress } from '../answers/site-address.js';

/**
 * What ties a sign-in that takes several steps to one browser: a secret that no page can read, and that an address someone else was sent
 * does not carry along. Lax, since Google leads back by a link of another site.
 */
@Injectable()
export class SignInCookies {
  constructor(private readonly site: SiteAddress) {}

  /** Of a sign-in that is away at Google. */
  google({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.googleName];
  }

  setGoogle(reply: FastifyReply, secret: string, expires: Date): void {
    this.write(reply, this.googleName, secret, expires);
  }

  clearGoogle(reply: FastifyReply): void {
    this.write(reply, this.googleName, '', new Date(0));
  }

  /** Of a sign-in between its two steps. */
  pending({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.pendingName];
  }

  /** Whatever a sign-in failed by: if only the second step is missing, the browser keeps what names it. Gives the failure back. */
  keepPending(reply: FastifyReply, failure: unknown): unknown {
    const pending = failure instanceof DomainError ? failure.details.secondFactor : undefined;
    if (pending) this.write(reply, this.pendingName, pending.token, new Date(pending.expiresAt));
    return failure;
  }

  clearPending(reply: FastifyReply): void {
    this.write(reply, this.pendingName, '', new Date(0));
  }

  private write(reply: FastifyReply, name: string, value: string, expires: Date): void {
    const { isSecure: secure } = this.site;
    reply.setCookie(name, value, { path: '/', httpOnly: true, sameSite: 'lax', secure, expires });
  }

  private get pendingName(): string {
    return this.site.isSecure ? '__Host-sign_in' : 'sign_in';
  }

  private get googleName(): string {
    return this.site.isSecure ? '__Host-google_sign_in' : 'google_sign_in';
  }
}
