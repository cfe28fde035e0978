import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret } from 'otpauth';
import { type HashingCost, PasswordHasher } from '../credential/password-hasher.js';
import { RecoveryCodeRepository } from './recovery-code.repository.js';

const codeCount = 10;
/** Ten characters of base32 are 50 bits: enough, because guessing gets slow after five wrong codes. */
const codeLength = 10;
const saltBytes = 16;

export interface NewRecoveryCodes {
  /** To be shown once: `abcde-fghij`. */
  codes: string[];
  salt: Buffer;
  cost: HashingCost;
  hashes: Buffer[];
}

/**
 * Generates and hashes codes for people who have lost their phone; each works once. `RecoveryCodeRepository` stores the argon2id hashes (ASVS 5.0,
 * 6.5.2). The codes of one account share a salt, so that checking a code takes one computation and not ten.
 */
@Injectable()
export class RecoveryCodeService {
  constructor(
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /** Call it outside of a transaction: it takes a tenth of a second or more. Throws OVERLOADED. */
  async generate(accountId: string): Promise<NewRecoveryCodes> {
    const salt = randomBytes(saltBytes);
    const { cost } = this.hasher;
    const codes: string[] = [];
    const hashes: Buffer[] = [];
    for (let count = 0; count < codeCount; count += 1) {
      // `size` counts bytes, so there are more characters than the code needs.
      const code = new Secret({ size: codeLength }).base32.slice(0, codeLength).toLowerCase();
      codes.push(`${code.slice(0, 5)}-${code.slice(5)}`);
      hashes.push(await this.hasher.digest(code, { salt, cost }, accountId));
    }
    return { codes, salt, cost, hashes };
  }

  /** The hash by which to look up `code`, which must be in lower case and without the dash. Null if the account has no codes. Throws OVERLOADED. */
  async hashOf(accountId: string, code: string): Promise<Buffer | null> {
    const stored = await this.recoveryCodes.findAny(accountId);
    if (!stored) return null;
    const { salt, memoryKiB, passes } = stored;
    // Codes of an earlier release have no stored cost. The configured one is used, which may have changed since.
    const cost = memoryKiB === null || passes === null ? this.hasher.cost : { memoryKiB, passes };
    return this.hasher.digest(code, { salt, cost }, accountId);
  }
}
