import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { addSeconds } from '#libs/runtime';

/**
 * `began` and `left` count plans; the other numbers are cents. `recurring` is the monthly recurring revenue at the month's end. `new`, `expansion`,
 * `contraction` and `churned` changed it during the month.
 */
interface MonthRow {
  month: string;
  recurring: number;
  new: number;
  expansion: number;
  contraction: number;
  churned: number;
  began: number;
  left: number;
}

interface CurrentRow {
  recurringCents: number;
  plansInService: number;
  plansPastDue: number;
  pastDueCents: number;
  expectedCharges: number;
  expectedCents: number;
}

const monthsShown = 24;
const expectedDays = 30;

@Injectable()
export class SubscriptionFiguresRepository {
  constructor(private readonly dataSource: DataSource) {}

  async getCurrent(now: Date): Promise<CurrentRow> {
    const until = addSeconds(now, expectedDays * 86_400);
    const [row] = await this.dataSource.sql<CurrentRow[]>`
      SELECT coalesce(sum(price_cents) FILTER (WHERE in_service), 0)::float8 AS "recurringCents",
        (count(*) FILTER (WHERE in_service))::int AS "plansInService",
        (count(*) FILTER (WHERE state = 'past_due'))::int AS "plansPastDue",
        coalesce(sum(outstanding_cents) FILTER (WHERE state = 'past_due'), 0)::float8 AS "pastDueCents",
        (count(*) FILTER (WHERE expected))::int AS "expectedCharges",
        coalesce(sum(next_cents + round(next_cents * added_tax_rate::numeric / 100)) FILTER (WHERE expected), 0)::float8
          AS "expectedCents"
      FROM subscriptions
        CROSS JOIN LATERAL (SELECT CASE WHEN change_approved AND change_applies_from <= next_charge_at THEN change_cents
            ELSE price_cents END AS next_cents,
          cycles > 0 AND state IN ('active', 'past_due', 'ending') AS in_service,
          wanted = 'charging' AND state IN ('pending', 'active', 'past_due') AND next_charge_at > ${now}
            AND next_charge_at <= ${until} AS expected) AS facts
      WHERE state <> 'ended'`;
    return row!;
  }

  /** Oldest first, up to the month of `now`. Months are UTC. */
  async listMonths(now: Date): Promise<MonthRow[]> {
    return this.dataSource.sql<MonthRow[]>`
      WITH months AS (
        SELECT generate_series(date_trunc('month', ${now}::timestamptz AT TIME ZONE 'UTC') - ${monthsShown - 1} * interval '1 month',
          date_trunc('month', ${now}::timestamptz AT TIME ZONE 'UTC'), interval '1 month') AS start),
      moved AS (
        SELECT date_trunc('month', at AT TIME ZONE 'UTC') AS start, movement, sum(cents) AS cents, count(*) AS number
        FROM subscription_timeline WHERE movement IS NOT NULL GROUP BY 1, 2)
      SELECT to_char(m.start, 'YYYY-MM') AS month,
        coalesce((SELECT sum(CASE WHEN movement IN ('new', 'expansion') THEN cents ELSE -cents END)
          FROM moved WHERE moved.start <= m.start), 0)::float8 AS recurring,
        coalesce(sum(cents) FILTER (WHERE movement = 'new'), 0)::float8 AS new,
        coalesce(sum(cents) FILTER (WHERE movement = 'expansion'), 0)::float8 AS expansion,
        coalesce(sum(cents) FILTER (WHERE movement = 'contraction'), 0)::float8 AS contraction,
        coalesce(sum(cents) FILTER (WHERE movement = 'churned'), 0)::float8 AS churned,
        coalesce(sum(number) FILTER (WHERE movement = 'new'), 0)::int AS began,
        coalesce(sum(number) FILTER (WHERE movement = 'churned'), 0)::int AS "left"
      FROM months m LEFT JOIN moved ON moved.start = m.start
      GROUP BY m.start ORDER BY m.start`;
  }
}
