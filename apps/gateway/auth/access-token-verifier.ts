import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, DomainError } from '#libs/contracts';
import { AccessTokenStrategy, strategyName } from './access-token.strategy.js';
import { usesBearer } from './bearer.js';
import { SessionCookies } from './session-cookies.js';

/** Identifies the caller of a request, by Bearer token or cookie. */
@Injectable()
export class AccessTokenVerifier {
  constructor(
    private readonly strategy: AccessTokenStrategy,
    private readonly cookies: SessionCookies,
  ) {}

  /** Whether the request uses the scheme Bearer or has the cookie of an access token, valid or not. */
  isPresent(request: FastifyRequest): boolean {
    return usesBearer(request.headers) || this.cookies.accessToken(request) !== undefined;
  }

  /** Throws UNAUTHENTICATED for an invalid token, SESSION_ENDED, or the failure of the call to identity (UNAVAILABLE if it timed out). */
  verify(request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
    const known = this.strategy.knownActor(request);
    if (known) return known.catch((error: unknown) => Promise.reject(asOutage(error)));
    return new Promise((resolve, reject) => {
      const conclude = (error: unknown, actor: Actor | false, info: unknown) => {
        if (actor) resolve(actor);
        else if (error) reject(asOutage(error));
        else reject(info instanceof DomainError ? asOutage(info) : new DomainError('UNAUTHENTICATED'));
      };
      const passport = this.strategy.getPassportInstance();
      const authenticate = passport.authenticate(strategyName, { session: false }, conclude) as Middleware;
      authenticate(request, reply, reject);
    });
  }
}

type Middleware = (request: unknown, reply: unknown, next: (error: unknown) => void) => void;

/**
 * Turns a timeout of the call to identity into UNAVAILABLE. TIMEOUT would mean that the requested operation may have run, but it has not
 * begun.
 */
function asOutage(failure: unknown): unknown {
  const isTimeout = failure instanceof DomainError && failure.code === 'TIMEOUT';
  return isTimeout ? new DomainError('UNAVAILABLE') : failure;
}
