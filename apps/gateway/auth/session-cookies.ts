import type { SerializeOptions } from '@fastify/cookie';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '#libs/contracts';
import { SiteAddress } from '../answers/site-address.js';

const hint = 'signed_in';

/**
 * The access token, the refresh token, and a hint that scripts can read, so that they know whether to call `/auth/me`. On HTTPS, the `__Host-` prefix
 * binds the tokens to this host and requires the path `/` (RFC 6265bis, section 4.1.3.2).
 */
@Injectable()
export class SessionCookies {
  constructor(private readonly siteAddress: SiteAddress) {}

  accessToken({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.accessName];
  }

  refreshToken({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.refreshName];
  }

  /** Whether the request comes from a browser that has signed in. Another site may then have made the browser send it. */
  hasAny({ cookies }: FastifyRequest): boolean {
    return [this.accessName, this.refreshName, hint].some((name) => cookies[name] !== undefined);
  }

  /** True even if the access token has expired. */
  hasHint({ cookies }: FastifyRequest): boolean {
    return cookies[hint] !== undefined;
  }

  set(reply: FastifyReply, signedIn: SignedIn): void {
    const sessionEnds = new Date(signedIn.refreshTokenExpiresAt);
    const accessEnds = new Date(signedIn.accessTokenExpiresAt);
    this.write(reply, this.accessName, signedIn.accessToken, { path: '/', expires: accessEnds });
    this.write(reply, this.refreshName, signedIn.refreshToken, { path: '/', expires: sessionEnds });
    this.write(reply, hint, '1', { path: '/', expires: sessionEnds, httpOnly: false });
  }

  /** Sets the cookies and returns the body of the answer, without the refresh token. */
  setAndAnswer(reply: FastifyReply, signedIn: SignedIn): Pick<SignedIn, 'account' | 'accessToken'> {
    this.set(reply, signedIn);
    return { account: signedIn.account, accessToken: signedIn.accessToken };
  }

  clear(reply: FastifyReply): void {
    const expires = new Date(0);
    this.write(reply, this.accessName, '', { path: '/', expires });
    this.write(reply, this.refreshName, '', { path: '/', expires });
    this.write(reply, hint, '', { path: '/', expires, httpOnly: false });
  }

  private write(reply: FastifyReply, name: string, value: string, options: SerializeOptions): void {
    const secure = this.siteAddress.isSecure;
    reply.setCookie(name, value, { httpOnly: true, sameSite: 'lax', secure, ...options });
  }

  private get accessName(): string {
    return this.siteAddress.isSecure ? '__Host-access_token' : 'access_token';
  }

  private get refreshName(): string {
    return this.siteAddress.isSecure ? '__Host-refresh_token' : 'refresh_token';
  }
}
