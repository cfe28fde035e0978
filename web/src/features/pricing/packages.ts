import type { Shown, Site } from '../../lib/site.js';

/** The names shown, in their order, and how many points each lists. */
const offered = [
  { name: 'Basic', points: 7 },
  { name: 'Premium', points: 8 },
  { name: 'Standard', points: 7 },
] as const;

export interface ShownPackage {
  record: Shown<'pricingPackage'>;
  /** Fragment of its place on the page. */
  slug: string;
  points: string[];
}

/** Basic, Premium and Standard as far as they exist; a point that is empty is not listed. */
export function shownPackages(site: Site): ShownPackage[] {
  return offered.flatMap(({ name, points }) => {
    const record = site.pricingPackage?.find(({ packageName }) => packageName === name);
    return record
      ? [{ record, slug: name.toLowerCase(), points: pointsOf(record).slice(0, points).filter(isFilled) }]
      : [];
  });
}

const isFilled = (point: string | undefined): point is string => Boolean(point?.trim());

function pointsOf(record: Shown<'pricingPackage'>): (string | undefined)[] {
  return [
    record.packagePointOne,
    record.packagePointTwo,
    record.packagePointThree,
    record.packagePointFour,
    record.packagePointFive,
    record.packagePointSix,
    record.packagePointSeven,
    record.packagePointEight,
  ];
}
