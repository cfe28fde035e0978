import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { Strategy } from 'passport-jwt';
import {
  accessTokenClaims,
  type AccessTokenClaims,
  accessTokens,
  type Actor,
  DomainError,
} from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { SiteAddress } from '../answers/site-address.js';
import { usesBearer } from './bearer.js';
import { SessionCookies } from './session-cookies.js';
import { actorOf, LiveSessions } from './live-sessions.js';
import { SigningKeys } from './signing-keys.js';
import { VerifiedTokens } from './verified-tokens.js';

export const strategyName = 'access-token';

/** Checks an access token (RFC 8725), then asks identity whether the session is active and who holds it. */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, strategyName) {
  /** Has no initializer: it would overwrite what the base class's constructor has set through `getPassportInstance`. */
  private ownPassport?: InstanceType<typeof Passport>;
  private readonly verifiedTokens: VerifiedTokens;

  constructor(
    keys: SigningKeys,
    private readonly cookies: SessionCookies,
    private readonly siteAddress: SiteAddress,
    private readonly sessions: LiveSessions,
    clock: Clock,
  ) {
    super({
      jwtFromRequest: (request: unknown) => tokenOf(request as FastifyRequest, cookies),
      algorithms: [accessTokens.algorithm as 'ES256'],
      audience: accessTokens.audience,
      jsonWebTokenOptions: { clockTolerance: accessTokens.clockToleranceSeconds },
      passReqToCallback: true,
      secretOrKeyProvider: (_: unknown, token: string, done: (error: unknown, key?: string) => void) => {
        getKey(keys, token).then((key) => done(null, key), done);
      },
    });
    this.verifiedTokens = new VerifiedTokens(clock);
  }

  /** Gateways in one process must not share Passport's global instance. */
  getPassportInstance(): InstanceType<typeof Passport> {
    return (this.ownPassport ??= new Passport());
  }

  /**
   * Called after the signature, audience and expiry were checked. False for malformed claims or another issuer. Throws SESSION_ENDED, or the failure
   * of the call to identity.
   */
  async validate(request: unknown, payload: unknown): Promise<Actor | false> {
    const claims = accessTokenClaims.safeParse(payload);
    if (!claims.success || claims.data.iss !== this.siteAddress.url) return false;
    this.verifiedTokens.add(tokenOf(request as FastifyRequest, this.cookies)!, claims.data);
    return this.getActor(claims.data);
  }

  /** The caller, if this gateway has verified the token before; otherwise undefined. Rejects as `validate` does. */
  actorOfVerifiedToken(request: FastifyRequest): Promise<Actor> | undefined {
    const token = tokenOf(request, this.cookies);
    const claims = token === null ? undefined : this.verifiedTokens.findClaims(token);
    return claims && this.getActor(claims);
  }

  private async getActor({ sub, sid }: AccessTokenClaims): Promise<Actor> {
    const holder = await this.sessions.findHolder(sid);
    if (holder?.account.id !== sub) throw new DomainError('SESSION_ENDED');
    return actorOf(holder, sid);
  }
}

/** A Bearer token wins over the cookie, because it was sent on purpose. */
function tokenOf(request: FastifyRequest, cookies: SessionCookies): string | null {
  const { headers } = request;
  if (!usesBearer(headers)) return cookies.accessToken(request) ?? null;
  return /^Bearer +(\S+) *$/i.exec(headers.authorization!)?.[1] ?? null;
}

async function getKey(keys: SigningKeys, token: string): Promise<string> {
  const key = await keys.find(keyIdOf(token));
  if (!key) throw new DomainError('UNAUTHENTICATED');
  return key;
}

/** Throws UNAUTHENTICATED unless the token's `typ` is that of access tokens (RFC 8725, section 3.11). */
function keyIdOf(token: string): string {
  const header = headerOf(token);
  if (header?.typ !== accessTokens.type) throw new DomainError('UNAUTHENTICATED');
  return String(header.kid);
}

function headerOf(token: string): { kid?: unknown; typ?: unknown } | null {
  try {
    return JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as object | null;
  } catch {
    return null;
  }
}
