const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

export type AddressKind = 'page' | 'fragment' | 'elsewhere';

/**
 * Where an address from the content leads, or undefined when it must not become a link. Content is checked when it
 * is written; a page checks again, since a `javascript:` address would run with the reader's rights.
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
