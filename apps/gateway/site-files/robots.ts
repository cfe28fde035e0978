/**
 * Path prefixes with nothing for search engines: the admin and customer areas, ordering and paying, signing
 * in and out. The sign-in pages may be crawled, because they have `noindex`, which a crawler sees only if it
 * may read them.
 */
export const uncrawled = [
  '/admin',
  '/setting',
  '/edit-',
  '/add-',
  '/update-',
  '/dashboard',
  '/my-order',
  '/pending-order',
  '/order',
  '/pay-now/',
  '/received-payment/',
  '/auth/',
] as const;

/** robots.txt (RFC 9309). */
export function robots(siteUrl: string): string {
  return [
    'User-agent: *',
    ...uncrawled.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${siteUrl}/sitemap.xml`,
    '',
  ].join('\n');
}
