import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { accessTokens } from '#libs/contracts';
import type { EntityManager } from 'typeorm';
import type { SecretSealer } from '../core/secret-sealer.js';
import type { SigningKeyEntity, SigningKeyState } from './signing-key.entity.js';

const generate = promisify(generateKeyPair);

/** A fresh key, as it is stored. */
export async function newSigningKey(
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
    privateKey: sealer.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string),
    createdAt: now,
    retiredAt: null,
  };
}

/** Stores a key, unless there is one in its state already: replicas offer theirs at once, and a unique index lets one of them in. */
export async function offerKey(manager: EntityManager, key: SigningKeyEntity): Promise<void> {
  await manager.query(
    `INSERT INTO signing_keys (kid, algorithm, state, public_jwk, private_key, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [key.kid, key.algorithm, key.state, JSON.stringify(key.publicJwk), key.privateKey, key.createdAt],
  );
}
