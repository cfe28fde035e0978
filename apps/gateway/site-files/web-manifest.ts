import { siteNameOf } from '#libs/content-model';
import type { SiteContentSnapshot } from '#libs/contracts';

/** For phones (W3C Web Application Manifest). The site still opens in the browser. */
export function webManifest({ sections }: SiteContentSnapshot, siteUrl: string): string {
  const name = siteNameOf(sections) ?? new URL(siteUrl).hostname;
  const icon = (size: number) => ({
    src: `/icon-${size}.png`,
    type: 'image/png',
    sizes: `${size}x${size}`,
    purpose: 'any maskable',
  });
  return JSON.stringify({
    name,
    short_name: name,
    start_url: '/',
    display: 'browser',
    background_color: '#fbfaf6',
    theme_color: '#fbfaf6',
    icons: [{ src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' }, icon(192), icon(512)],
  });
}
