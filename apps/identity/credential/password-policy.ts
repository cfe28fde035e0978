import { dictionary } from '@zxcvbn-ts/language-common';
import { DomainError } from '#libs/contracts';

/** Shorter ones in the list are refused for their length already. */
const SHORTEST_LISTED = 6;

/** What a new password must be. Long enough and not known from breaches: rules on its characters make passwords worse. */
export class PasswordPolicy {
  private readonly breached = new Set(breachedPasswords());

  constructor(private readonly minLength: number) {}

  /** Throws INVALID_INPUT (too short) or WEAK_PASSWORD (known from breaches, or the address itself). */
  check(password: string, email: string): void {
    const normalized = password.normalize('NFC');
    // A character is a code point: an emoji is one, though JavaScript counts two.
    if ([...normalized].length < this.minLength) {
      throw DomainError.invalid([{ field: 'password', message: `Minimum ${this.minLength} Characters` }]);
    }
    const lowered = normalized.toLowerCase();
    if (this.breached.has(lowered) || lowered === email.toLowerCase()) {
      const error = new DomainError('WEAK_PASSWORD');
      throw new DomainError('WEAK_PASSWORD', { fields: [{ field: 'password', message: error.message }] });
    }
  }
}

/**
 * Some 43 000 passwords from public breaches, in lower case, the list that the package ships: what an online guesser would try first, and more
 * (NIST SP 800-63B-4, section 3.1.1.2).
 */
function breachedPasswords(): string[] {
  return dictionary['passwords-common'].filter((password) => password.length >= SHORTEST_LISTED);
}
