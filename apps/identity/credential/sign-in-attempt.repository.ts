import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { countFailureSql } from './failure-delay.js';
import { SignInAttemptEntity } from './sign-in-attempt.entity.js';

/** Failed sign-ins by account and client network. Outside of transactions, so that a failure counts whatever becomes of the request. */
@Injectable()
export class SignInAttemptRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Until when sign-ins are refused; null if there were no failures. */
  async findBlockedUntil(emailNormalized: string, network: string): Promise<Date | null> {
    const key = { emailHash: hashOf(emailNormalized), address: network };
    return (await this.dataSource.manager.findOneBy(SignInAttemptEntity, key))?.blockedUntil ?? null;
  }

  async countFailure(emailNormalized: string, network: string, now: Date): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO sign_in_attempts AS attempt (email_hash, address, failures, last_attempt_at, blocked_until)
      VALUES (${hashOf(emailNormalized)}, ${network}, 1, ${now}, ${now})
      ON CONFLICT (email_hash, address) DO UPDATE SET ${countFailureSql}`;
  }

  async delete(emailNormalized: string, network: string): Promise<void> {
    const key = { emailHash: hashOf(emailNormalized), address: network };
    await this.dataSource.manager.delete(SignInAttemptEntity, key);
  }

  async deleteEverywhere(tx: EntityManager, emailNormalized: string): Promise<void> {
    await tx.delete(SignInAttemptEntity, { emailHash: hashOf(emailNormalized) });
  }
}

function hashOf(emailNormalized: string): Buffer {
  return createHash('sha256').update(emailNormalized).digest();
}
