import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { VatIdCheckEntity } from './vat-id-check.entity.js';

/** An answer older than this is asked for again as soon as somebody uses the VAT ID. */
const recheckDays = 30;
/** Shorter: a new VAT ID becomes valid in the register only after some days. */
const recheckInvalidDays = 1;
/** For how long the register (VIES) is asked again while it does not answer. After that, the next use of the VAT ID begins another round. */
const askDays = 7;
const retryMinutes = 10;

@Injectable()
export class VatIdCheckRepository {
  constructor(private readonly dataSource: DataSource) {}

  find(vatId: string): Promise<VatIdCheckEntity | null> {
    return this.dataSource.manager.findOneBy(VatIdCheckEntity, { vatId });
  }

  list(manager: EntityManager, vatIds: readonly string[]): Promise<VatIdCheckEntity[]> {
    return manager.findBy(VatIdCheckEntity, { vatId: In(vatIds) });
  }

  /**
   * Makes the VAT ID due for a check if it is new, if its answer is old, or if the last round of asking ended without an answer. Does nothing during
   * a round, when `next_check_at` is at most `retryMinutes` away. Outside a round, it is `infinity`.
   */
  async queueIfNeeded(vatId: string): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO vat_id_checks (vat_id, state, next_check_at) VALUES (${vatId}, 'unknown', now())
      ON CONFLICT (vat_id) DO UPDATE SET first_asked_at = now(), next_check_at = now()
      WHERE coalesce(vat_id_checks.checked_at, '-infinity') < now() - interval '1 day' *
          CASE vat_id_checks.state WHEN 'invalid' THEN ${recheckInvalidDays}::int ELSE ${recheckDays} END
        AND vat_id_checks.next_check_at > now() + interval '1 day'`;
  }

  /** Each VAT ID is due again after `retryMinutes` until an answer is stored, for `askDays` at most. */
  async takeDue(count: number): Promise<string[]> {
    const [rows] = await this.dataSource.sql<[{ id: string }[], number]>`
      UPDATE vat_id_checks SET next_check_at = CASE
        WHEN first_asked_at > now() - ${askDays} * interval '1 day' THEN now() + ${retryMinutes} * interval '1 minute'
        ELSE 'infinity' END
      WHERE vat_id IN (
        SELECT vat_id FROM vat_id_checks WHERE next_check_at <= now()
        ORDER BY next_check_at LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING vat_id AS id`;
    return rows.map(({ id }) => id);
  }

  async storeAnswer(vatId: string, state: 'valid' | 'invalid'): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO vat_id_checks (vat_id, state, checked_at, next_check_at)
      VALUES (${vatId}, ${state}, now(), 'infinity')
      ON CONFLICT (vat_id) DO UPDATE
      SET state = excluded.state, checked_at = excluded.checked_at, next_check_at = excluded.next_check_at`;
  }
}
