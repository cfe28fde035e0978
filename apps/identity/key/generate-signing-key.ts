import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { accessTokens } from '#libs/contracts';
import type { SecretSealer } from '../core/secret-sealer.js';
import type { SigningKeyEntity, SigningKeyState } from './signing-key.entity.js';

const generate = promisify(generateKeyPair);

/** Generates a key pair, and seals its private half. */
export async function generateSigningKey(
  state: SigningKeyState,
  sealer: SecretSealer,
  now: Date,
): Promise<SigningKeyEntity> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    algorithm: accessTokens.algorithm,
    state,
    publicJwk: { ...publicJwk },
    privateKey: sealer.seal('signingKey', privateKey.export({ type: 'pkcs8', format: 'pem' }) as string),
    createdAt: now,
    retiredAt: null,
  };
}
