import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, LessThanOrEqual } from 'typeorm';
import { SigningKeyEntity } from './signing-key.entity.js';

@Injectable()
export class SigningKeyRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns whether the key was stored. Unique indexes admit one `current` and one `next` key at a time. */
  async insert(tx: EntityManager, key: SigningKeyEntity): Promise<boolean> {
    const stored = await tx.sql<unknown[]>`
      INSERT INTO signing_keys (kid, algorithm, state, public_jwk, private_key, created_at)
      VALUES (${key.kid}, ${key.algorithm}, ${key.state}, ${key.publicJwk}, ${key.privateKey}, ${key.createdAt})
      ON CONFLICT DO NOTHING RETURNING kid`;
    return stored.length > 0;
  }

  findCurrent(): Promise<SigningKeyEntity | null> {
    return this.dataSource.manager.findOneBy(SigningKeyEntity, { state: 'current' });
  }

  hasNext(): Promise<boolean> {
    return this.dataSource.manager.existsBy(SigningKeyEntity, { state: 'next' });
  }

  /** The newest first, without those that were retired at `since` or earlier. */
  listPublished(since: Date): Promise<SigningKeyEntity[]> {
    return this.dataSource
      .createQueryBuilder(SigningKeyEntity, 'key')
      .where(`key.state <> 'retired' OR key.retiredAt > :since`, { since })
      .orderBy('key.createdAt', 'DESC')
      .getMany();
  }

  lockAll(tx: EntityManager): Promise<SigningKeyEntity[]> {
    return tx.find(SigningKeyEntity, { lock: { mode: 'pessimistic_write' } });
  }

  async rotate(tx: EntityManager, currentKid: string, nextKid: string, now: Date): Promise<void> {
    await tx.update(SigningKeyEntity, currentKid, { state: 'retired', retiredAt: now });
    await tx.update(SigningKeyEntity, nextKid, { state: 'current' });
  }

  async deleteRetired(tx: EntityManager, until: Date): Promise<void> {
    await tx.delete(SigningKeyEntity, { state: 'retired', retiredAt: LessThanOrEqual(until) });
  }
}
