import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { Clock, secondsAfter } from '../clock.js';

export type ChallengePurpose = 'add' | 'signIn' | 'finish' | 'confirm';

/** A login page may stand open for a while before somebody picks their passkey. */
const LIFETIME_SECONDS = 15 * 60;

/** What authenticators are asked to sign. Each challenge is for one purpose and one person, and good once. */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** In base64url. `accountId`: null where nobody is known yet. */
  async issue(purpose: ChallengePurpose, accountId: string | null): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = new Uint8Array(randomBytes(32));
    await this.dataSource.query(
      `INSERT INTO passkey_challenges (challenge_hash, purpose, account_id, expires_at) VALUES ($1, $2, $3, $4)`,
      [
        hashOf(Buffer.from(challenge).toString('base64url')),
        purpose,
        accountId,
        secondsAfter(this.clock.now(), LIFETIME_SECONDS),
      ],
    );
    return challenge;
  }

  /** The challenge that this answer signs, used up in the caller's transaction. Throws INVALID_PASSKEY. */
  async take(
    tx: EntityManager,
    answer: Record<string, unknown>,
    { purpose, accountId }: { purpose: ChallengePurpose; accountId: string | null },
  ): Promise<string> {
    const challenge = challengeOf(answer);
    const [rows] = await tx.query<[unknown[], number]>(
      `DELETE FROM passkey_challenges
       WHERE challenge_hash = $1 AND purpose = $2 AND account_id IS NOT DISTINCT FROM $3 AND expires_at > $4 RETURNING 1`,
      [hashOf(challenge), purpose, accountId, this.clock.now()],
    );
    if (rows.length === 0) throw new DomainError('INVALID_PASSKEY');
    return challenge;
  }
}

/** WebAuthn, section 5.8.1: what the browser says it was asked, inside of what is signed. */
function challengeOf(answer: Record<string, unknown>): string {
  try {
    const { clientDataJSON } = answer.response as { clientDataJSON: string };
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as {
      challenge?: unknown;
    };
    return String(challenge);
  } catch {
    throw new DomainError('INVALID_PASSKEY');
  }
}

function hashOf(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}
