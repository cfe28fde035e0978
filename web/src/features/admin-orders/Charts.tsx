import './admin-orders.css';
import { SalesOverTime } from './SalesOverTime.js';
import { UnpaidAges } from './UnpaidAges.js';

export function Charts() {
  return (
    <div className="charts">
      <SalesOverTime />
      <UnpaidAges />
    </div>
  );
}
