import { type AccessTokenClaims, accessTokens } from '#libs/contracts';
import type { Clock } from '#libs/runtime';

/** With its claims, a token takes about a kilobyte. */
const maxRemembered = 10_000;

/**
 * The claims of tokens whose signature was checked. Checking it for each request would cost more than the rest of the gateway's work. Expiry is
 * checked each time; `LiveSessions` checks the session.
 */
export class VerifiedTokens {
  private readonly claims = new Map<string, AccessTokenClaims>();

  constructor(private readonly clock: Clock) {}

  /** Undefined if the token is not remembered, or has expired. */
  findClaims(token: string): AccessTokenClaims | undefined {
    const claims = this.claims.get(token);
    if (!claims || this.clock.now() < new Date((claims.exp + accessTokens.clockToleranceSeconds) * 1000))
      return claims;
    this.claims.delete(token);
    return undefined;
  }

  add(token: string, claims: AccessTokenClaims): void {
    this.claims.set(token, claims);
    if (this.claims.size > maxRemembered) this.claims.delete(this.claims.keys().next().value!);
  }
}
