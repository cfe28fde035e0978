import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { JWK } from 'jose';
import { DataSource } from 'typeorm';
import { accessTokens } from '#libs/contracts';
import { Clock, secondsAfter } from '../clock.js';
import { newSigningKey, offerKey } from './new-signing-key.js';
import { SecretSealer } from '../core/secret-sealer.js';
import { SigningKeyEntity } from './signing-key.entity.js';

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

/** How long a replica goes on signing with the key it knows, once another has made a new one current. */
const REMEMBER_SECONDS = 60;
/** A retired key's tokens live for their lifetime after the last replica stopped signing, give or take a clock's skew. */
export const PUBLISH_RETIRED_SECONDS =
  accessTokens.lifetimeSeconds + REMEMBER_SECONDS + accessTokens.clockToleranceSeconds;

/** The keys that access tokens are signed with. They live in the database: all replicas sign with the same one. */
@Injectable()
export class SigningKeyService implements OnApplicationBootstrap {
  private known?: { key: Promise<SigningKey>; until: Date };

  constructor(
    private readonly dataSource: DataSource,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** A key that cannot be opened should stop the start, not the first sign-in. */
  async onApplicationBootstrap(): Promise<void> {
    await this.current();
  }

  /** The key to sign with; made on the first start. */
  current(): Promise<SigningKey> {
    const now = this.clock.now();
    if (this.known && now < this.known.until) return this.known.key;
    const known = { key: this.load(), until: secondsAfter(now, REMEMBER_SECONDS) };
    known.key.catch(() => {
      if (this.known === known) this.known = undefined;
    });
    this.known = known;
    return known.key;
  }

  /** The public keys that a verifier may meet, as a JSON Web Key Set. */
  async published(): Promise<JWK[]> {
    const rows = await this.keys
      .createQueryBuilder('key')
      .where(`key.state <> 'retired' OR key.retiredAt > :since`, {
        since: secondsAfter(this.clock.now(), -PUBLISH_RETIRED_SECONDS),
      })
      .orderBy('key.createdAt', 'DESC')
      .getMany();
    return rows.map((row) => ({ ...row.publicJwk, kid: row.kid, alg: row.algorithm, use: 'sig' }));
  }

  private async load(): Promise<SigningKey> {
    const row = (await this.findCurrent()) ?? (await this.create());
    return { kid: row.kid, privateKey: createPrivateKey(this.sealer.open(row.privateKey)) };
  }

  private findCurrent(): Promise<SigningKeyEntity | null> {
    return this.keys.findOneBy({ state: 'current' });
  }

  /** Several replicas may offer one at the same moment; the unique index keeps the first and all use that. */
  private async create(): Promise<SigningKeyEntity> {
    await offerKey(this.dataSource.manager, await newSigningKey('current', this.sealer, this.clock.now()));
    const current = await this.findCurrent();
    if (!current) throw new Error('A signing key was stored but there is no current one.');
    return current;
  }

  private get keys() {
    return this.dataSource.getRepository(SigningKeyEntity);
  }
}
