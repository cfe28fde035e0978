import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { accessTokens, identityContract } from '#libs/contracts';
import { Clock, addSeconds } from '#libs/runtime';
import { Handles } from '#libs/transport';
import { SecretSealer } from '../core/secret-sealer.js';
import { generateSigningKey } from './generate-signing-key.js';
import type { SigningKeyEntity } from './signing-key.entity.js';
import { SigningKeyRepository } from './signing-key.repository.js';

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

/** For how long a replica may go on signing with the key it remembers after the keys were rotated. */
const rememberSeconds = 60;
/** How long a retired key stays published: the time until replicas have forgotten it, the lifetime of a token, and the skew of clocks. */
export const publishRetiredSeconds =
  accessTokens.lifetimeSeconds + rememberSeconds + accessTokens.clockToleranceSeconds;

@Injectable()
export class SigningKeyService implements OnApplicationBootstrap {
  private cached?: { key: Promise<SigningKey>; until: Date };

  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: SigningKeyRepository,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** A key that cannot be decrypted stops the process at its start instead of failing the first sign-in. */
  async onApplicationBootstrap(): Promise<void> {
    await this.current();
  }

  /** The key that signs. It is generated on the first start. */
  current(): Promise<SigningKey> {
    const now = this.clock.now();
    if (this.cached && now < this.cached.until) return this.cached.key;
    const cached = { key: this.load(), until: addSeconds(now, rememberSeconds) };
    cached.key.catch(() => {
      if (this.cached === cached) this.cached = undefined;
    });
    this.cached = cached;
    return cached.key;
  }

  /** A JSON Web Key Set. */
  @Handles(identityContract.keys)
  async listPublished() {
    const keys = await this.keys.listPublished(addSeconds(this.clock.now(), -publishRetiredSeconds));
    return { keys: keys.map((key) => ({ ...key.publicJwk, kid: key.kid, alg: key.algorithm, use: 'sig' })) };
  }

  private async load(): Promise<SigningKey> {
    const { kid, privateKey } = (await this.keys.findCurrent()) ?? (await this.create());
    return { kid, privateKey: createPrivateKey(this.sealer.open('signingKey', privateKey)) };
  }

  /** Several replicas may insert a key at once; the database keeps the first, and all use that. */
  private async create(): Promise<SigningKeyEntity> {
    const generated = await generateSigningKey('current', this.sealer, this.clock.now());
    await this.keys.insert(this.dataSource.manager, generated);
    const current = await this.keys.findCurrent();
    if (!current) throw new Error('A signing key was stored, but there is no current one.');
    return current;
  }
}
