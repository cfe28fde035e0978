import { dictionary } from '@zxcvbn-ts/language-common';
import { DomainError } from '#libs/contracts';

/** Shorter words stand for too many harmless passwords. */
const SHORTEST_COMMON = 5;
const SHORTEST_NAME = 4;

const reasons = {
  common: 'This password is too common, or too similar to a common one. Choose a different one.',
  email: 'This password is your e-mail address, or part of it. Choose a different one.',
  site: 'This password is this site’s name. Choose a different one.',
};

/** What a new password must be: long enough and not easily guessed. Rules on its characters make passwords worse (NIST SP 800-63B-4). */
export class PasswordPolicy {
  private readonly common = commonPasswords();

  /** `siteNames` are what the site is called: its guessers know that, too. */
  constructor(
    private readonly minLength: number,
    private readonly siteNames: () => Promise<readonly string[]>,
  ) {}

  /**
   * Throws INVALID_INPUT (too short) or WEAK_PASSWORD with the reason: common, the person's own address, or the site's name, also in
   * disguise. `siteNames`: where not all need to be asked for.
   */
  async check(password: string, email: string, siteNames?: readonly string[]): Promise<void> {
    const normalized = password.normalize('NFC');
    // A character is a code point: an emoji is one, though JavaScript counts two.
    if ([...normalized].length < this.minLength) {
      throw DomainError.invalid([{ field: 'password', message: `Minimum ${this.minLength} Characters` }]);
    }
    const reason = this.weaknessOf(normalized, email, siteNames ?? (await this.siteNames()));
    if (reason) throw new DomainError('WEAK_PASSWORD', { fields: [{ field: 'password', message: reason }] });
  }

  private weaknessOf(password: string, email: string, siteNames: readonly string[]): string | undefined {
    const cores = coresOf(password);
    const isOneOf = (words: readonly string[]) =>
      words.map(skeletonOf).some((word) => word.length >= SHORTEST_NAME && cores.includes(word));
    if (isOneOf(partsOf(email))) return reasons.email;
    if (isOneOf(siteNames)) return reasons.site;
    return cores.some((core) => core.length >= SHORTEST_COMMON && this.common.has(core))
      ? reasons.common
      : undefined;
  }
}

/** The address, what stands before and after its `@`, and the words in those. */
function partsOf(email: string): string[] {
  const [local = '', domain = ''] = email.split('@');
  return [email, local, domain, ...local.split(/[^\p{L}\p{N}]+/u), ...domain.split('.')];
}

/** A password as it is, without the symbols around it, and without the digits and symbols around it: what a guesser tries first. */
function coresOf(password: string): string[] {
  const withoutSymbols = password
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '');
  const letters = withoutSymbols.replace(/^\P{L}+/u, '').replace(/(?<!\P{L})\P{L}+$/u, '');
  return [password, withoutSymbols, letters].map(skeletonOf);
}

/** Characters that are typed for one another; each group counts as its first. */
const lookalikes = new Map(
  ['a@4', 'b8', 'c(', 'e3€', 'g69', 'il1!|', 'o0', 's$5', 't7+', 'z2'].flatMap((group) =>
    [...group].map((character): [string, string] => [character, group[0]!]),
  ),
);

/** What is left of a text once case, accents, lookalike characters and separators no longer tell it from another: `P@ss-w0rd` is `password`. */
function skeletonOf(text: string): string {
  return [...text.normalize('NFKD').toLowerCase()]
    .map((character) => lookalikes.get(character) ?? character)
    .filter((character) => /[\p{L}\p{N}]/u.test(character))
    .join('');
}

/**
 * Some 43 000 passwords from public breaches, the list that the package ships: what an online guesser would try first, and more
 * (NIST SP 800-63B-4, section 3.1.1.2).
 */
function commonPasswords(): Set<string> {
  return new Set(
    dictionary['passwords-common'].map(skeletonOf).filter(({ length }) => length >= SHORTEST_COMMON),
  );
}
