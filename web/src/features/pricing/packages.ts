import { packageNames } from '#libs/content-model';
import { packagePoints } from '../../lib/package-points.js';
import type { ShownRecord, Site } from '../../lib/site.js';

export interface ShownPackage {
  record: ShownRecord<'pricingPackage'>;
  /** The URL fragment that leads to the package on the pricing page; the `id` of its card. */
  slug: string;
  points: string[];
}

/** Basic, Premium and Standard, as far as they exist. */
export function shownPackages(site: Site): ShownPackage[] {
  return packageNames.flatMap((name) => {
    const record = site.pricingPackage?.find(({ packageName }) => packageName === name);
    return record ? [{ record, slug: name.toLowerCase(), points: packagePoints(record) }] : [];
  });
}
