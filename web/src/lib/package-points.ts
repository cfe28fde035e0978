import type { Shown } from './site.js';

const isFilled = (point: string | undefined): point is string => Boolean(point?.trim());

/** What a package offers: eight points for Premium, seven for any other; one that is empty is not listed. */
export function packagePoints(record: Shown<'pricingPackage'>): string[] {
  const points = [
    record.packagePointOne,
    record.packagePointTwo,
    record.packagePointThree,
    record.packagePointFour,
    record.packagePointFive,
    record.packagePointSix,
    record.packagePointSeven,
    record.packagePointEight,
  ];
  return points.slice(0, record.packageName === 'Premium' ? 8 : 7).filter(isFilled);
}
