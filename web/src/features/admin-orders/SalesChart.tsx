import type { OrdersSales } from '#libs/contracts';
import { money } from '../../lib/money.js';
import { count } from '../../workspace/formats.js';
import { longPeriod, roundTop, shortPeriod } from './sales-range.js';

const height = 100;
/** Share of a period's width that its bar takes. */
const barShare = 0.72;

/**
 * A bar for each period. The SVG is stretched to its box, so labels are text outside of it. All figures are
 * in the table.
 */
export function SalesChart({ sales: { by, periods } }: { sales: OrdersSales }) {
  const values = periods.map(({ sales }) => Number(sales));
  const top = roundTop(Math.max(...values));
  const best = periods[values.indexOf(Math.max(...values))]!;
  const named = [0, Math.floor((periods.length - 1) / 2), periods.length - 1];
  return (
    <>
      <div className="sales-chart">
        <div className="sales-chart__scale" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{dollarsOf(value)}</span>
          ))}
        </div>
        <svg
          className="sales-chart__bars"
          viewBox={`0 0 ${periods.length} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Sales by ${by}. Highest in ${longPeriod(best.from, by)}: ${money(best.sales)}.`}
        >
          {[0, height / 2, height].map((y) => (
            <line key={y} x1="0" x2={periods.length} y1={y} y2={y} />
          ))}
          {periods.map(({ from, sales }, index) => {
            const size = (height * Number(sales)) / top;
            return (
              <g key={from} className="sales-chart__period">
                {/* The whole column responds to the pointer, however short the bar. */}
                <rect className="sales-chart__place" x={index} width="1" height={height} />
                <rect x={index + (1 - barShare) / 2} width={barShare} y={height - size} height={size} />
                <title>{`${longPeriod(from, by)}: ${money(sales)}`}</title>
              </g>
            );
          })}
        </svg>
        <div className="sales-chart__names" aria-hidden="true">
          {[...new Set(named)].map((index) => (
            <span key={index}>{shortPeriod(periods[index]!.from, by)}</span>
          ))}
        </div>
      </div>
      <details className="sales-table">
        <summary>Sales by {by} as a table</summary>
        <div className="sales-table__rows" tabIndex={0} role="group" aria-label={`Sales by ${by}`}>
          <table className="bars">
            <caption className="visually-hidden">Sales by {by}</caption>
            <thead>
              <tr>
                {['Period', 'Orders', 'Paid', 'Sales', 'Refunded'].map((head, index) => (
                  <th key={head} scope="col" className={index > 0 ? 'bars__figure' : undefined}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {periods.map(({ from, orders, paid, sales, refunded }) => (
                <tr key={from}>
                  <th scope="row">{longPeriod(from, by)}</th>
                  {[count(orders), count(paid), money(sales), money(refunded)].map((text, index) => (
                    <td key={index} className="bars__figure">
                      {text}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

const short = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
  minimumFractionDigits: 0,
});
const dollarsOf = (value: number) => short.format(value);
