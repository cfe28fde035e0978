const dayMs = 86_400_000;

/**
 * The charge that is due `months` months after the one at `from`, with the same time of day. `anchorDay` is the day of the month on which the plan
 * began. A plan that began on the 31st is charged on the last day of shorter months, and on the 31st again afterwards. If the provider charges on
 * another day, because of its time zone, later charges follow the day of `from`.
 */
export function chargeDate(from: Date, months: number, anchorDay: number): Date {
  const isAnchored = from.getUTCDate() === dayOf(from, 0, anchorDay).getUTCDate();
  const day = dayOf(from, months, isAnchored ? anchorDay : from.getUTCDate());
  return new Date(day.getTime() + (from.getTime() % dayMs));
}

/** Midnight of `day` in the month that is `months` after the month of `from`, or of that month’s last day if it has no such day. */
function dayOf(from: Date, months: number, day: number): Date {
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, lastDay)));
}

/** `charge`: the first one at least `days` days after `now`. `chargeBefore`: the one before; null if `charge` is the one at `nextChargeAt`. */
export function firstChargeAfterDays(
  { nextChargeAt, startedAt }: { nextChargeAt: Date; startedAt: Date },
  now: Date,
  days: number,
): { charge: Date; chargeBefore: Date | null } {
  const earliest = now.getTime() + days * dayMs;
  let chargeBefore: Date | null = null;
  for (let months = 0; ; months += 1) {
    const charge = chargeDate(nextChargeAt, months, startedAt.getUTCDate());
    if (charge.getTime() >= earliest) return { charge, chargeBefore };
    chargeBefore = charge;
  }
}
