import type { OrdersSales, SalesPeriod } from '#libs/contracts';
import { useAddressParams } from '../../workspace/address-params.js';
import { DayField } from '../../workspace/DayField.js';
import { Empty } from '../../workspace/Empty.js';
import { Failure } from '../../workspace/Failure.js';
import type { Problem } from '../../lib/api.js';
import { money } from '../../lib/money.js';
import { formatNumber } from '../../workspace/formats.js';
import { useQuery } from '../../workspace/query.js';
import { FigureTable } from './FigureTable.js';
import { SalesChart } from './SalesChart.js';
import { salesRangeOf } from './sales-range.js';

const periodChoices: readonly { by: SalesPeriod; text: string }[] = [
  { by: 'day', text: 'Days' },
  { by: 'week', text: 'Weeks' },
  { by: 'month', text: 'Months' },
];

const tooLongTexts: Record<SalesPeriod, string> = {
  day: 'That’s too many days for one chart. Choose a later start date, or choose weeks or months.',
  week: 'That’s too many weeks for one chart. Choose a later start date, or choose months.',
  month: 'That’s too many months for one chart. Choose a later start date.',
};

export function SalesOverTime() {
  const [params, change] = useAddressParams();
  const range = salesRangeOf(params);
  const { by, from, to } = range;
  const sales = useQuery('GET /orders/sales', { query: { from, to, by } });
  return (
    <section className="panel" aria-labelledby="sales-heading">
      <div className="panel__head">
        <h2 id="sales-heading">Sales</h2>
        <div className="sales-range">
          <div className="segments" role="group" aria-label="Sales by">
            {periodChoices.map(({ by: choice, text }) => (
              <button
                key={choice}
                type="button"
                aria-pressed={choice === by}
                // Days, weeks and months have their own default ranges, so the dates are dropped.
                onClick={() => change({ by: choice, from: null, to: null })}
              >
                {text}
              </button>
            ))}
          </div>
          <DayField required label="From" value={from} change={(day) => change({ from: day })} />
          <DayField required label="To" value={to} change={(day) => change({ to: day })} />
        </div>
      </div>
      {sales.problem?.code === 'INVALID_INPUT' ? (
        <Empty title="Choose other dates">{rangeRefusalText(sales.problem, by)}</Empty>
      ) : sales.problem ? (
        <Failure what="Error fetching sales" query={sales} />
      ) : (
        <div className="sales" aria-busy={sales.loading}>
          {sales.data && <SalesFigures sales={sales.data} />}
        </div>
      )}
    </section>
  );
}

/** The site refuses a range that ends before it begins (field `to`), or has too many periods (field `by`). */
function rangeRefusalText({ fields }: Problem, by: SalesPeriod): string {
  return fields[0]?.field === 'to' ? '‘To’ can’t be before ‘From’.' : tooLongTexts[by];
}

function SalesFigures({ sales }: { sales: OrdersSales }) {
  if (sales.orders === 0)
    return <Empty title="No orders in this period">Choose an earlier start date.</Empty>;
  return (
    <>
      <div className="period-chart">
        <p className="sales__sum">
          <strong>{money(sales.sales)}</strong> paid for {formatNumber(sales.paid)} of{' '}
          {formatNumber(sales.orders)} orders
          {Number(sales.refunded) > 0 && `, ${money(sales.refunded)} refunded`}
        </p>
        <SalesChart sales={sales} />
      </div>
      <FigureTable
        caption="Sales by package"
        heads={['Package', 'Paid', 'Sales']}
        rows={sales.packages}
        rowKey={({ packageName }) => packageName ?? ''}
        name={({ packageName }) => packageName ?? 'Others'}
        value={({ sales: amount }) => Number(amount)}
        cells={({ paid, sales: amount }) => [formatNumber(paid), money(amount)]}
      />
    </>
  );
}
