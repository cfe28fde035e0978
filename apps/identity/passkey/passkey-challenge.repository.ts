import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { sha256 } from '#libs/database';

/** `add`: a new passkey. `signIn`: a sign-in without a password. `finish`: the second step of a sign-in. `confirm`: makes the session fresh. */
type ChallengePurpose = 'add' | 'signIn' | 'finish' | 'confirm';

/** `accountId` is null if the account is not known yet. */
export interface ChallengeUse {
  purpose: ChallengePurpose;
  accountId: string | null;
}

/** Hashes of challenges. No entity: a row is never read, and using one up has to be a single `DELETE`. */
@Injectable()
export class PasskeyChallengeRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(challenge: string, { purpose, accountId }: ChallengeUse, expiresAt: Date): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO passkey_challenges (challenge_hash, purpose, account_id, expires_at)
      VALUES (${sha256(challenge)}, ${purpose}, ${accountId}, ${expiresAt})`;
  }

  /** Deletes the challenge. Returns false if there is none for this use, or if it has expired. */
  async take(
    tx: EntityManager,
    challenge: string,
    { purpose, accountId }: ChallengeUse,
    now: Date,
  ): Promise<boolean> {
    const [, deleted] = await tx.sql<[unknown, number]>`
      DELETE FROM passkey_challenges WHERE challenge_hash = ${sha256(challenge)} AND purpose = ${purpose}
        AND account_id IS NOT DISTINCT FROM ${accountId} AND expires_at > ${now}`;
    return deleted === 1;
  }
}
