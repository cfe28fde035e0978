import { FigureTable } from './FigureTable.js';
import type { ReactNode } from 'react';
import { money } from '../../lib/money.js';
import { chartTop, longPeriodName, shortPeriodName } from './sales-range.js';
import type { SalesPeriod } from '#libs/contracts';

const height = 100;
/** Share of a period's width. */
const barShare = 0.72;

interface PeriodChartProps<T> {
  /** What the bars show, such as 'Sales by month'. */
  label: string;
  by: SalesPeriod;
  /** Oldest first, at least one. */
  periods: readonly T[];
  fromOf(period: T): string;
  /** In dollars. */
  amountOf(period: T): string;
  /** Headings of the table: first the heading of the periods, then those of the figures. */
  heads: readonly string[];
  /** The figures, formatted. */
  cells(period: T): readonly ReactNode[];
}

/** The SVG is stretched to its box, so labels are text outside of it. All figures are in the table. */
export function PeriodChart<T>(props: PeriodChartProps<T>) {
  const { label, by, periods, fromOf, amountOf } = props;
  const values = periods.map((period) => Number(amountOf(period)));
  const top = chartTop(Math.max(...values));
  const best = periods[values.indexOf(Math.max(...values))]!;
  const labelIndexes = [0, Math.floor((periods.length - 1) / 2), periods.length - 1];
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
          aria-label={`${label}. Highest: ${longPeriodName(fromOf(best), by)}, ${money(amountOf(best))}.`}
        >
          {[0, height / 2, height].map((y) => (
            <line key={y} x1="0" x2={periods.length} y1={y} y2={y} />
          ))}
          {periods.map((period, index) => {
            const barHeight = (height * values[index]!) / top;
            return (
              <g key={fromOf(period)} className="sales-chart__period">
                {/* The whole column responds to the pointer, however short the bar. */}
                <rect className="sales-chart__hover-area" x={index} width="1" height={height} />
                <rect
                  x={index + (1 - barShare) / 2}
                  width={barShare}
                  y={height - barHeight}
                  height={barHeight}
                />
                <title>{`${longPeriodName(fromOf(period), by)}: ${money(amountOf(period))}`}</title>
              </g>
            );
          })}
        </svg>
        <div className="sales-chart__names" aria-hidden="true">
          {[...new Set(labelIndexes)].map((index) => (
            <span key={index}>{shortPeriodName(fromOf(periods[index]!), by)}</span>
          ))}
        </div>
      </div>
      <PeriodTable {...props} />
    </>
  );
}

function PeriodTable<T>({ label, by, periods, fromOf, heads, cells }: PeriodChartProps<T>) {
  return (
    <details className="sales-table">
      <summary>{label} as a table</summary>
      <div className="sales-table__rows" tabIndex={0} role="group" aria-label={label}>
        <FigureTable
          caption={label}
          heads={heads}
          rows={periods}
          rowKey={fromOf}
          name={(period) => longPeriodName(fromOf(period), by)}
          cells={cells}
        />
      </div>
    </details>
  );
}

const compactDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 2,
  minimumFractionDigits: 0,
});
const dollarsOf = (value: number) => compactDollars.format(value);
