import type { ShownRecord } from './site.js';

const isFilled = (point: string | undefined): point is string => Boolean(point?.trim());

/** At most eight points for Premium, seven for any other package. */
export function packagePoints(record: ShownRecord<'pricingPackage'>): string[] {
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
