import './admin-orders.css';
import { SalesOverTime } from './SalesOverTime.js';
import { UnpaidAges } from './UnpaidAges.js';

/** Sales over time, sales by package, and unpaid orders. */
export function Charts() {
  return (
    <div className="charts">
      <SalesOverTime />
      <UnpaidAges />
    </div>
  );
}
