const longest = 2000;

/**
 * The address if it is one within this site, else undefined: nobody is led elsewhere by a link that looks like ours. A browser reads
 * `//host`, `/\host` and what has a tab in it as other sites.
 */
export function ownPath(address: unknown): string | undefined {
  if (typeof address !== 'string' || address.length > longest) return undefined;
  if (!/^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/.test(address)) return undefined;
  const base = 'http://site.invalid';
  if (!URL.canParse(address, base)) return undefined;
  const { origin, pathname } = new URL(address, base);
  // `/.//host` is within the site, but `//host` once somebody has resolved it.
  return origin === base && !pathname.startsWith('//') ? address : undefined;
}
