import { dictionary } from '@zxcvbn-ts/language-common';
import { DomainError } from '#libs/contracts';

/** Enough to stop an online guesser, and few enough that a refusal is never a surprise (NIST SP 800-63B-4, 3.1.1.2). */
const COMMON_PASSWORDS = 10_000;
/** Shorter ones in the list are refused for their length already. */
const SHORTEST_LISTED = 6;

/** What a new password must be. Length and commonness only: rules on its characters make passwords worse. */
export class PasswordPolicy {
  private readonly common = new Set(mostCommonPasswords());

  constructor(private readonly minLength: number) {}

  /** Throws INVALID_INPUT (too short) or WEAK_PASSWORD (among the most common, or the address itself). */
  check(password: string, email: string): void {
    const normalized = password.normalize('NFC');
    // A character is a code point: an emoji is one, though JavaScript counts two.
    if ([...normalized].length < this.minLength) {
      throw DomainError.invalid([{ field: 'password', message: `Minimum ${this.minLength} Characters` }]);
    }
    const lowered = normalized.toLowerCase();
    if (this.common.has(lowered) || lowered === email.toLowerCase()) {
      const error = new DomainError('WEAK_PASSWORD');
      throw new DomainError('WEAK_PASSWORD', { fields: [{ field: 'password', message: error.message }] });
    }
  }
}

/** The list comes from leaked passwords, most frequent first, in lower case. */
function mostCommonPasswords(): string[] {
  return dictionary['passwords-common']
    .filter((password) => password.length >= SHORTEST_LISTED)
    .slice(0, COMMON_PASSWORDS);
}
