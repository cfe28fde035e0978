import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../clock.js';
import { PasswordHasher } from '../credential/password-hasher.js';
import { base32 } from './totp.js';

const CODES = 10;
/** Ten letters and digits of base32: 50 bits, and five guesses before it gets slow. */
const CODE_CHARACTERS = 10;
const SALT_BYTES = 16;

/** Codes as they were made, with what is kept of them. */
export interface NewRecoveryCodes {
  /** For the person, once: `abcde-fghij`. */
  codes: string[];
  salt: Buffer;
  hashes: Buffer[];
}

/**
 * Codes for when the phone is gone; each is good once. Kept as argon2id hashes (ASVS 5.0, 6.5.2): those of one person share a salt, so that
 * a guess costs one computation and not ten.
 */
@Injectable()
export class RecoveryCodeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** Outside of any transaction: it takes a tenth of a second or so. OVERLOADED. */
  async make(accountId: string): Promise<NewRecoveryCodes> {
    const salt = randomBytes(SALT_BYTES);
    const codes: string[] = [];
    const hashes: Buffer[] = [];
    for (let count = 0; count < CODES; count += 1) {
      const code = base32(randomBytes(7)).slice(0, CODE_CHARACTERS).toLowerCase();
      codes.push(`${code.slice(0, 5)}-${code.slice(5)}`);
      hashes.push(await this.hasher.digest(code, salt, accountId));
    }
    return { codes, salt, hashes };
  }

  /** In place of those that there were, in the caller's transaction. */
  async replace(tx: EntityManager, accountId: string, { salt, hashes }: NewRecoveryCodes): Promise<void> {
    await tx.query(`DELETE FROM recovery_codes WHERE account_id = $1`, [accountId]);
    await tx.query(
      `INSERT INTO recovery_codes (account_id, code_hash, salt) SELECT $1, unnest($2::bytea[]), $3`,
      [accountId, hashes, salt],
    );
  }

  /** What this code's row would be found by; null for somebody without codes. OVERLOADED. */
  async hashOf(accountId: string, code: string): Promise<Buffer | null> {
    const [row] = await this.dataSource.query<{ salt: Buffer }[]>(
      `SELECT salt FROM recovery_codes WHERE account_id = $1 LIMIT 1`,
      [accountId],
    );
    return row ? this.hasher.digest(code, row.salt, accountId) : null;
  }

  /** Uses a code up, in the caller's transaction. Whether there was one. */
  async use(tx: EntityManager, accountId: string, hash: Buffer): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>(
      `UPDATE recovery_codes SET used_at = $3 WHERE account_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING 1`,
      [accountId, hash, this.clock.now()],
    );
    return rows.length > 0;
  }
}
