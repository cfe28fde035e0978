/**
 * Screens that are not listed, such as the sign-in and `/projects`, may be crawled: they have `noindex`, which a crawler sees only if it may read
 * them.
 */
export const disallowedPrefixes = [
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

/** RFC 9309. */
export function robots(siteUrl: string): string {
  return [
    'User-agent: *',
    ...disallowedPrefixes.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${siteUrl}/sitemap.xml`,
    '',
  ].join('\n');
}
