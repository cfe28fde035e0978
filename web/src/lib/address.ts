const linkSchemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

export type AddressKind = 'path' | 'fragment' | 'elsewhere';

/**
 * Undefined if the address must not become a link: a `javascript:` address would run with the reader's rights. Links in Markdown are checked nowhere
 * else. Other addresses are also checked when they are saved.
 */
export function addressKind(address: string | undefined): AddressKind | undefined {
  if (!address) return undefined;
  if (address.startsWith('#')) return 'fragment';
  if (/^\/(?![/\\])/.test(address)) return 'path';
  try {
    return linkSchemes.has(new URL(address).protocol) ? 'elsewhere' : undefined;
  } catch {
    return undefined;
  }
}
