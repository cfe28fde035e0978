import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, LessThan, Not } from 'typeorm';
import { SecretSealer } from '../core/secret-sealer.js';
import { TotpFactorEntity } from './totp-factor.entity.js';

/** Takes and returns secrets in plain text, and stores them sealed. */
@Injectable()
export class TotpFactorRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sealer: SecretSealer,
  ) {}

  /** Replaces a secret that was never confirmed. Returns false if there is a confirmed one. */
  async storeUnconfirmed(tx: EntityManager, accountId: string, secret: string, now: Date): Promise<boolean> {
    const rows = await tx.sql<unknown[]>`
      INSERT INTO totp_factors AS factor (account_id, secret, created_at, last_step)
      VALUES (${accountId}, ${this.sealer.seal('totp', secret)}, ${now}, 0)
      ON CONFLICT (account_id) DO UPDATE SET secret = EXCLUDED.secret, created_at = EXCLUDED.created_at
      WHERE factor.confirmed_at IS NULL
      RETURNING 1`;
    return rows.length > 0;
  }

  /** Null unless the authenticator app is in this state. */
  async findSecret(
    accountId: string,
    state: 'confirmed' | 'unconfirmed',
    tx = this.dataSource.manager,
  ): Promise<string | null> {
    const confirmedAt = state === 'confirmed' ? Not(IsNull()) : IsNull();
    const factor = await tx.findOneBy(TotpFactorEntity, { accountId, confirmedAt });
    return factor && this.sealer.open('totp', factor.secret);
  }

  /** Returns false if there is no unconfirmed authenticator app. */
  async confirm(tx: EntityManager, accountId: string, confirmedAt: Date): Promise<boolean> {
    const unconfirmed = { accountId, confirmedAt: IsNull() };
    const { affected } = await tx.update(TotpFactorEntity, unconfirmed, { confirmedAt });
    return affected === 1;
  }

  /** Returns false if the code of this step or of a later one was used before (RFC 6238, section 5.2), or if the app has another secret now. */
  async useStep(
    tx: EntityManager,
    accountId: string,
    { secret, step }: { secret: string; step: number },
  ): Promise<boolean> {
    if ((await this.findSecret(accountId, 'confirmed', tx)) !== secret) return false;
    const lastStep = String(step);
    const unused = { accountId, lastStep: LessThan(lastStep) };
    const { affected } = await tx.update(TotpFactorEntity, unused, { lastStep });
    return affected === 1;
  }

  /** Returns whether there was a confirmed app. */
  async delete(tx: EntityManager, accountId: string): Promise<boolean> {
    const confirmed = await tx.existsBy(TotpFactorEntity, { accountId, confirmedAt: Not(IsNull()) });
    await tx.delete(TotpFactorEntity, { accountId });
    return confirmed;
  }
}
