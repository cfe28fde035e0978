import './admin-orders.css';
import { SalesOverTime } from './SalesOverTime.js';
import { UnpaidAges } from './UnpaidAges.js';

/** What was sold over time and of which packages, and what waits to be paid. */
export function Charts() {
  return (
    <div className="charts">
      <SalesOverTime />
      <UnpaidAges />
    </div>
  );
}
