const maxLength = 2000;

/**
 * Undefined unless the address is a path of this site, so that our links cannot redirect elsewhere. To browsers, `//host`, `/\host` and (since they
 * ignore tabs and line breaks) `/<tab>/host` are other sites.
 */
export function ownPath(address: unknown): string | undefined {
  if (typeof address !== 'string' || address.length > maxLength) return undefined;
  if (!/^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/.test(address)) return undefined;
  const base = 'http://site.invalid';
  if (!URL.canParse(address, base)) return undefined;
  const { origin, pathname } = new URL(address, base);
  // `/.//host` is a path of this site, but resolves to `//host`.
  return origin === base && !pathname.startsWith('//') ? address : undefined;
}
