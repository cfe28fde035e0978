import type { SubscriptionFigures } from '#libs/contracts';

type Months = SubscriptionFigures['months'];

const fewestMonths = 12;

/** Leaves out the months before the first plan, but keeps at least the last `fewestMonths`. */
export function sinceFirstPlan(months: Months): Months {
  // A plan that began before the first of these months may count in no `began`, but its revenue is in `recurring`.
  const first = months.findIndex(({ began, recurring }) => began > 0 || Number(recurring) > 0);
  const latestStart = months.length - fewestMonths;
  return months.slice(Math.max(0, first < 0 ? latestStart : Math.min(first, latestStart)));
}
