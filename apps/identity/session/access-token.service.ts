import { Inject, Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { v4 } from 'uuid';
import { type AccessTokenClaims, accessTokens } from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';
import { SigningKeyService } from '../key/signing-key.service.js';

export interface AccessToken {
  token: string;
  expiresAt: Date;
}

/** Issues JWTs, modelled on RFC 9068, that name the account and the session. */
@Injectable()
export class AccessTokenService {
  constructor(
    private readonly keys: SigningKeyService,
    private readonly clock: Clock,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** Expires after ten minutes, or with the session if that is earlier. */
  async issue(accountId: string, session: { id: string; expiresAt: Date }): Promise<AccessToken> {
    const { kid, privateKey } = await this.keys.current();
    const issuedAt = Math.floor(this.clock.now().getTime() / 1000);
    const sessionEnd = Math.floor(session.expiresAt.getTime() / 1000);
    const claims: AccessTokenClaims = {
      iss: this.config.PUBLIC_URL,
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
    return { token, expiresAt: new Date(claims.exp * 1000) };
  }
}
