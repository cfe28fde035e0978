import type { OrdersSales } from '#libs/contracts';
import { money } from '../../lib/money.js';
import { formatNumber } from '../../workspace/formats.js';
import { PeriodChart } from './PeriodChart.js';

export function SalesChart({ sales: { by, periods } }: { sales: OrdersSales }) {
  return (
    <PeriodChart
      label={`Sales by ${by}`}
      by={by}
      periods={periods}
      fromOf={({ from }) => from}
      amountOf={({ sales }) => sales}
      heads={['Period', 'Orders', 'Paid', 'Sales', 'Refunded']}
      cells={({ orders, paid, sales, refunded }) => [
        formatNumber(orders),
        formatNumber(paid),
        money(sales),
        money(refunded),
      ]}
    />
  );
}
