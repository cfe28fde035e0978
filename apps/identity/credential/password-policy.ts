import { dictionary } from '@zxcvbn-ts/language-common';
import { DomainError } from '#libs/contracts';

/** Shorter words would match too many harmless passwords. */
const minCommonLength = 5;
const minNameLength = 4;

const reasons = {
  common: 'This password is too common, or too similar to a common one. Choose a different one.',
  email: 'This password is your e-mail address, or part of it. Choose a different one.',
  site: 'This password is this site’s name, or part of its address. Choose a different one.',
};

/** New passwords must be long enough and hard to guess. Requiring certain kinds of characters makes passwords worse (NIST SP 800-63B-4). */
export class PasswordPolicy {
  private readonly common = commonPasswords();

  /** `siteNames`: the site's name, its host name and parts of the host name. Attackers guess these as well. */
  constructor(
    private readonly minLength: number,
    private readonly siteNames: () => Promise<readonly string[]>,
  ) {}

  /**
   * Throws INVALID_INPUT if the password is too short, or WEAK_PASSWORD with the reason if it is a common password, the person's address (or part of
   * it), or one of the site's names, even in disguise. `siteNames` replaces the constructor's.
   */
  async check(password: string, email: string, siteNames?: readonly string[]): Promise<void> {
    const normalized = password.normalize('NFC');
    // A character is a code point: 🦊 is one, though its `length` is 2.
    if ([...normalized].length < this.minLength) {
      throw DomainError.invalid([{ field: 'password', message: `Minimum ${this.minLength} Characters` }]);
    }
    const reason = this.weaknessOf(normalized, email, siteNames ?? (await this.siteNames()));
    if (reason) throw new DomainError('WEAK_PASSWORD', { fields: [{ field: 'password', message: reason }] });
  }

  private weaknessOf(password: string, email: string, siteNames: readonly string[]): string | undefined {
    const cores = coresOf(password);
    const isOneOf = (words: readonly string[]) =>
      words.map(skeletonOf).some((word) => word.length >= minNameLength && cores.includes(word));
    if (isOneOf(partsOf(email))) return reasons.email;
    if (isOneOf(siteNames)) return reasons.site;
    return cores.some((core) => this.common.has(core)) ? reasons.common : undefined;
  }
}

function partsOf(email: string): string[] {
  const [local = '', domain = ''] = email.split('@');
  return [email, local, domain, ...local.split(/[^\p{L}\p{N}]+/u), ...domain.split('.')];
}

/** The skeletons of the password with and without the symbols and digits at its ends: attackers first try common words with such additions. */
function coresOf(password: string): string[] {
  // The lookbehinds keep the time linear: only the start of a run of characters is tried.
  const withoutSymbols = password
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '');
  const letters = withoutSymbols.replace(/^\P{L}+/u, '').replace(/(?<!\P{L})\P{L}+$/u, '');
  return [password, withoutSymbols, letters].map(skeletonOf);
}

/** Each character is replaced by the first of its group. */
const lookalikes = new Map(
  ['a@4', 'b8', 'c(', 'e3€', 'g69', 'il1!|', 'o0', 's$5', 't7+', 'z2'].flatMap((group) =>
    [...group].map((character): [string, string] => [character, group[0]!]),
  ),
);

/** `P@ss-w0rd` becomes `password`; accents are dropped, too. */
function skeletonOf(text: string): string {
  return [...text.normalize('NFKD').toLowerCase()]
    .map((character) => lookalikes.get(character) ?? character)
    .filter((character) => /[\p{L}\p{N}]/u.test(character))
    .join('');
}

/** Shared, because computing it takes 50 ms. */
let common: ReadonlySet<string> | undefined;

/** Some 46 000 passwords from public breaches: more than an attacker can try online (NIST SP 800-63B-4, section 3.1.1.2). */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    dictionary['passwords-common'].map(skeletonOf).filter(({ length }) => length >= minCommonLength),
  );
  return common;
}
