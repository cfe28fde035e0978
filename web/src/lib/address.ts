const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

export type AddressKind = 'page' | 'fragment' | 'elsewhere';

/**
 * The kind of link for an address from the content; undefined if it must not become a link. Content is
 * checked when it is saved; pages check again, because a `javascript:` address would run with the reader's
 * rights.
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
