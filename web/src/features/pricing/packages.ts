import { packageNames } from '#libs/content-model';
import { packagePoints } from '../../lib/package-points.js';
import type { ShownRecord, Site } from '../../lib/site.js';

export interface ShownPackage {
  record: ShownRecord<'pricingPackage'>;
  /** The URL fragment of the package on the pricing page; the `id` of its card. */
  slug: string;
  points: string[];
}

/** In the order of `packageNames`, and only those that exist. */
export function listShownPackages(site: Site): ShownPackage[] {
  return packageNames.flatMap((name) => {
    const record = site.pricingPackage?.find(({ packageName }) => packageName === name);
    return record ? [{ record, slug: name.toLowerCase(), points: packagePoints(record) }] : [];
  });
}
