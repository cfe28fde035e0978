import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, DomainError } from '#libs/contracts';
import { AccessTokenStrategy, strategyName } from './access-token.strategy.js';
import { usesBearer } from './bearer.js';
import { SessionCookies } from './session-cookies.js';

@Injectable()
export class AccessTokenVerifier {
  constructor(
    private readonly strategy: AccessTokenStrategy,
    private readonly cookies: SessionCookies,
  ) {}

  /** Also true for invalid credentials. */
  hasCredentials(request: FastifyRequest): boolean {
    return usesBearer(request.headers) || this.cookies.accessToken(request) !== undefined;
  }

  /** Throws UNAUTHENTICATED for an invalid token, SESSION_ENDED, or the failure of the call to identity (UNAVAILABLE if it timed out). */
  verify(request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
    const actor = this.strategy.actorOfVerifiedToken(request);
    if (actor) return actor.catch((error: unknown) => Promise.reject(timeoutAsUnavailable(error)));
    return new Promise((resolve, reject) => {
      const conclude = (error: unknown, actor: Actor | false, info: unknown) => {
        if (actor) resolve(actor);
        else if (error) reject(timeoutAsUnavailable(error));
        // passport-jwt passes the failure to get a key as `info`.
        else
          reject(
            info instanceof DomainError ? timeoutAsUnavailable(info) : new DomainError('UNAUTHENTICATED'),
          );
      };
      const passport = this.strategy.getPassportInstance();
      const authenticate = passport.authenticate(strategyName, { session: false }, conclude) as Middleware;
      authenticate(request, reply, reject);
    });
  }
}

type Middleware = (request: unknown, reply: unknown, next: (error: unknown) => void) => void;

/** Turns a TIMEOUT of the call to identity into UNAVAILABLE. TIMEOUT would tell the client that the requested operation may have run. */
function timeoutAsUnavailable(failure: unknown): unknown {
  const isTimeout = failure instanceof DomainError && failure.code === 'TIMEOUT';
  return isTimeout ? new DomainError('UNAVAILABLE') : failure;
}
