import '../admin-orders.css';
import { Link } from 'react-router-dom';
import type { SubscriptionFigures } from '#libs/contracts';
import { money } from '../../../lib/money.js';
import { ExportLink } from '../../../workspace/ExportLink.js';
import { Failure } from '../../../workspace/Failure.js';
import { Figure, Figures } from '../../../workspace/Figures.js';
import { formatNumber, counted } from '../../../workspace/formats.js';
import { pathOf } from '../../../workspace/path.js';
import { useQuery } from '../../../workspace/query.js';
import { When } from '../../../workspace/When.js';
import { PeriodChart } from '../PeriodChart.js';
import { sinceFirstPlan } from './revenue-months.js';

export function RecurringRevenue() {
  const figures = useQuery('GET /plan-subscriptions/figures');
  if (figures.problem) return <Failure what="Error fetching figures" query={figures} />;
  const { data } = figures;
  return (
    <>
      <Figures>
        <Figure
          label="Monthly recurring revenue"
          value={data && money(data.recurring)}
          note="The monthly prices of all plans in service, added up."
        />
        <Figure
          label="In service"
          value={data && counted(data.inService, 'plan')}
          note="Paid plans that are active, past due, or cancelled but not over yet."
        />
        <Figure
          label="Past due"
          value={data && money(data.pastDue.amount)}
          note={
            <>
              Failed charges
              {data && (
                <>
                  {' on '}
                  <Link to="/admin/monthly-plans?state=past_due">{counted(data.pastDue.plans, 'plan')}</Link>
                </>
              )}{' '}
              that may still be paid.
            </>
          }
        />
        <Figure
          label="Expected in 30 days"
          value={data && money(data.expected.amount)}
          note={`Charges that are due within the next 30 days${data ? `: ${formatNumber(data.expected.charges)}` : ''}.`}
        />
      </Figures>
      {data && <Months figures={data} />}
    </>
  );
}

function Months({ figures: { asOf, months } }: { figures: SubscriptionFigures }) {
  return (
    <section className="panel" aria-labelledby="recurring-months">
      <div className="panel__head">
        <h2 id="recurring-months">Recurring revenue by month</h2>
        <ExportLink href={pathOf('GET /plan-subscriptions/figures/export')} what="recurring revenue" />
      </div>
      <div className="period-chart">
        <PeriodChart
          label="Recurring revenue by month"
          by="month"
          periods={sinceFirstPlan(months)}
          fromOf={({ month }) => `${month}-01`}
          amountOf={({ recurring }) => recurring}
          heads={[
            'Month',
            'Recurring',
            'New',
            'Expansion',
            'Contraction',
            'Churned',
            'Plans added',
            'Plans lost',
          ]}
          cells={(month) => [
            ...[month.recurring, month.new, month.expansion, month.contraction, month.churned].map(money),
            formatNumber(month.began),
            formatNumber(month.left),
          ]}
        />
      </div>
      <dl className="details definitions">
        {definitions.map(([name, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="status-note">
        As of <When at={asOf} time />. Months are in UTC.
      </p>
    </section>
  );
}

const definitions = [
  ['Recurring', 'Monthly recurring revenue at the end of the month; for this month, as of now.'],
  ['New', 'Added by plans that began, or came back after a suspension or a pause.'],
  ['Expansion', 'Added by changes to a higher price.'],
  ['Contraction', 'Lost by changes to a lower price.'],
  ['Churned', 'Lost by plans that ended, or were suspended or paused.'],
  ['Plans added, Plans lost', 'The numbers of plans that are counted under New and Churned.'],
] as const;
