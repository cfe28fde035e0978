import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { uuidv7 } from '#libs/database';

export interface RecoveryRequest {
  emailNormalized: string;
  requestedAt: Date;
}

/** Requests for password reset links that `RecoveryWorker` has not handled yet. No entity: rows are only inserted and deleted. */
@Injectable()
export class RecoveryRequestRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert({ emailNormalized, requestedAt }: RecoveryRequest): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO recovery_requests (id, email_normalized, requested_at)
      VALUES (${uuidv7()}, ${emailNormalized}, ${requestedAt})`;
  }

  /** Deletes and returns the oldest request that no other replica is handling. */
  async takeOldest(tx: EntityManager): Promise<RecoveryRequest | undefined> {
    const [[request]] = await tx.sql<[RecoveryRequest[], number]>`
      DELETE FROM recovery_requests WHERE id = (
        SELECT id FROM recovery_requests ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING email_normalized AS "emailNormalized", requested_at AS "requestedAt"`;
    return request;
  }
}
