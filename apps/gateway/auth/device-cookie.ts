import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client } from '#libs/contracts';
import { SiteAddress } from '../answers/site-address.js';
import { clientOf } from '../routing/gateway-request.js';

/** The longest that browsers keep one (RFC 6265bis, section 5.5). */
const lifetimeSeconds = 400 * 24 * 60 * 60;

/**
 * By it an account's owner is not told again of a browser they have signed in from before. It says nothing about who they are, outlives
 * signing out, and lets nobody in.
 */
@Injectable()
export class DeviceCookie {
  constructor(private readonly site: SiteAddress) {}

  /** Who is signing in; a browser without the cookie gets one along with the answer. */
  client(request: FastifyRequest, reply: FastifyReply): Client {
    const known = request.cookies[this.name];
    const isKnown = known !== undefined && /^[\w-]{22}$/.test(known);
    const id = isKnown ? known : randomBytes(16).toString('base64url');
    reply.setCookie(this.name, id, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.site.isSecure,
      maxAge: lifetimeSeconds,
    });
    return { ...clientOf(request), device: { id, isNew: !isKnown } };
  }

  private get name(): string {
    return this.site.isSecure ? '__Host-device' : 'device';
  }
}
