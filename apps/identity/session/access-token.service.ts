import { SignJWT } from 'jose';
import { v4 } from 'uuid';
import { type AccessTokenClaims, accessTokens } from '#libs/contracts';
import { Clock, secondsAfter } from '../clock.js';
import { SigningKeyService } from '../key/signing-key.service.js';

export interface AccessToken {
  token: string;
  expiresAt: Date;
}

/** Signs access tokens (JWT, RFC 9068 in spirit): who, in which session, for ten minutes. */
export class AccessTokenService {
  constructor(
    private readonly keys: SigningKeyService,
    private readonly clock: Clock,
    private readonly issuer: string,
  ) {}

  /** A token never outlives its session. */
  async issue(accountId: string, session: { id: string; expiresAt: Date }): Promise<AccessToken> {
    const { kid, privateKey } = await this.keys.current();
    const issuedAt = Math.floor(this.clock.now().getTime() / 1000);
    const sessionEnd = Math.floor(session.expiresAt.getTime() / 1000);
    const claims: AccessTokenClaims = {
      iss: this.issuer,
      aud: accessTokens.audience,
      sub: accountId,
      sid: session.id,
      iat: issuedAt,
      exp: Math.min(issuedAt + accessTokens.lifetimeSeconds, sessionEnd),
      jti: v4(),
    };
    const token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: accessTokens.algorithm, typ: accessTokens.type, kid })
      .sign(privateKey);
    return { token, expiresAt: secondsAfter(new Date(0), claims.exp) };
  }
}
