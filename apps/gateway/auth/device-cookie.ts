import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client } from '#libs/contracts';
import { SiteAddress } from '../answers/site-address.js';
import { clientOf } from '../routing/gateway-request.js';

/** The longest time that browsers keep a cookie (RFC 6265bis, section 5.5). */
const lifetimeSeconds = 400 * 24 * 60 * 60;

/** Keeps people from being notified again about a device they have used before. The cookie survives signing out, and grants no access. */
@Injectable()
export class DeviceCookie {
  constructor(private readonly siteAddress: SiteAddress) {}

  /** Sets or renews the cookie. */
  recognizeClient(request: FastifyRequest, reply: FastifyReply): Client {
    const known = request.cookies[this.name];
    const isKnown = known !== undefined && /^[\w-]{22}$/.test(known);
    const id = isKnown ? known : randomBytes(16).toString('base64url');
    reply.setCookie(this.name, id, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.siteAddress.isSecure,
      maxAge: lifetimeSeconds,
    });
    return { ...clientOf(request), device: { id, isNew: !isKnown } };
  }

  private get name(): string {
    return this.siteAddress.isSecure ? '__Host-device' : 'device';
  }
}
