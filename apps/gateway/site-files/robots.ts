/**
 * Where a crawler finds nothing for its readers: the admin and customer areas, ordering and paying, signing in and out. Beginnings
 * of paths, no list of screens. The sign-in pages are left to be crawled, since they tell themselves that they are not to be
 * indexed, as every screen and every answer of the API does; a crawler that may not look cannot know.
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
