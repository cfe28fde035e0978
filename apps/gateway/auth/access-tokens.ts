import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { Strategy } from 'passport-jwt';
import { accessTokenClaims, accessTokens, type Account, type Actor, DomainError } from '#libs/contracts';
import { SiteAddress } from '../answers/site-address.js';
import { SessionCookies } from './cookies.js';
import { LiveSessions } from './live-sessions.js';
import { SigningKeys } from './signing-keys.js';

const strategyName = 'access-token';

/**
 * Who makes a request, by Bearer or by cookie. Signature, algorithm, audience, expiry and issuer are checked here (RFC 8725);
 * then identity is asked whether the session lives and who holds it.
 */
@Injectable()
export class AccessTokens {
  /** Of its own: passport's global instance would be shared by every gateway in a process. */
  private readonly passport = new Passport();

  constructor(
    keys: SigningKeys,
    private readonly cookies: SessionCookies,
    private readonly site: SiteAddress,
    private readonly sessions: LiveSessions,
  ) {
    const options = {
      jwtFromRequest: (request: unknown) => this.tokenOf(request as FastifyRequest),
      algorithms: [accessTokens.algorithm as 'ES256'],
      audience: accessTokens.audience,
      secretOrKeyProvider: (_: unknown, token: string, done: (error: unknown, key?: string) => void) => {
        findKey(keys, token).then((key) => done(null, key), done);
      },
    };
    const strategy = new Strategy(options, (claims: unknown, done) => {
      this.holderOf(claims).then(
        (actor) => done(null, actor),
        (error: unknown) => done(error, false),
      );
    });
    this.passport.use(strategyName, strategy);
  }

  /** Whether the request brings something that should be an access token. */
  isPresent(request: FastifyRequest): boolean {
    return request.headers.authorization !== undefined || this.cookies.accessToken(request) !== undefined;
  }

  /** UNAUTHENTICATED for a token that is none, SESSION_ENDED, and identity's own failures when it cannot be asked. */
  verify(request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
    return new Promise((resolve, reject) => {
      const conclude = (error: unknown, actor: Actor | false, info: unknown) => {
        if (actor) resolve(actor);
        else if (error) reject(asOutage(error));
        else reject(info instanceof DomainError ? asOutage(info) : new DomainError('UNAUTHENTICATED'));
      };
      const authenticate = this.passport.authenticate(
        strategyName,
        { session: false },
        conclude,
      ) as Middleware;
      authenticate(request, reply, reject);
    });
  }

  /** A Bearer is meant for this call; a cookie merely came along. */
  private tokenOf(request: FastifyRequest): string | null {
    const { authorization } = request.headers;
    if (authorization === undefined) return this.cookies.accessToken(request) ?? null;
    return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
  }

  private async holderOf(payload: unknown): Promise<Actor | false> {
    const claims = accessTokenClaims.safeParse(payload);
    if (!claims.success || claims.data.iss !== this.site.url) return false;
    const account = await this.sessions.holder(claims.data.sid);
    if (account?.id !== claims.data.sub) throw new DomainError('SESSION_ENDED');
    return actorOf(account, claims.data.sid);
  }
}

/** Not to know who asks is an outage: nothing of the call itself has run into a deadline. */
function asOutage(failure: unknown): unknown {
  const isTimeout = failure instanceof DomainError && failure.code === 'TIMEOUT';
  return isTimeout ? new DomainError('UNAVAILABLE') : failure;
}

type Middleware = (request: unknown, reply: unknown, next: (error: unknown) => void) => void;

async function findKey(keys: SigningKeys, token: string): Promise<string> {
  const key = await keys.find(keyIdOf(token));
  if (!key) throw new DomainError('UNAUTHENTICATED');
  return key;
}

/** Which key the token says it was signed with. */
function keyIdOf(token: string): string {
  try {
    const header = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid?: unknown };
    return String(header.kid);
  } catch {
    throw new DomainError('UNAUTHENTICATED');
  }
}

function actorOf({ id, email, emailVerified, role }: Account, sessionId: string): Actor {
  return { role: role === 'Admin' ? 'admin' : 'customer', accountId: id, email, emailVerified, sessionId };
}
