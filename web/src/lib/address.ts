const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

export type AddressKind = 'page' | 'fragment' | 'elsewhere';

/**
 * The kind of link that an address becomes; undefined if it must not become one, because a `javascript:` address would run with the reader's
 * rights. Links in Markdown are checked nowhere else; other addresses are also checked when they are saved.
 */
export function addressKind(address: string | undefined): AddressKind | undefined {
  if (!address) return undefined;
  if (address.startsWith('#')) return 'fragment';
  if (/^\/(?![/\\])/.test(address)) return 'page';
  try {
    return schemes.has(new URL(address).protocol) ? 'elsewhere' : undefined;
  } catch {
    return undefined;
  }
}
