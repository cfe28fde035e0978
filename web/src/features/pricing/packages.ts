import { packagePoints } from '../../lib/package-points.js';
import type { Shown, Site } from '../../lib/site.js';

/** The names of the packages that are shown, in display order. */
const offered = ['Basic', 'Premium', 'Standard'] as const;

export interface ShownPackage {
  record: Shown<'pricingPackage'>;
  /** Fragment of the package on the page. */
  slug: string;
  points: string[];
}

/** Basic, Premium and Standard, as far as they exist. */
export function shownPackages(site: Site): ShownPackage[] {
  return offered.flatMap((name) => {
    const record = site.pricingPackage?.find(({ packageName }) => packageName === name);
    return record ? [{ record, slug: name.toLowerCase(), points: packagePoints(record) }] : [];
  });
}
