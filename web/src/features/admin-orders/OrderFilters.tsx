import { FilterSelect } from '../../workspace/FilterSelect.js';
import { DayField } from '../../workspace/DayField.js';
import { ListFilters } from '../../workspace/ListFilters.js';
import { SearchField } from '../../workspace/SearchField.js';
import { type OrderFilter, orderStatuses, paymentStatuses } from './order-filter.js';

const choicesOf = (statuses: object) => Object.keys(statuses).map((status) => [status, status] as const);

export function OrderFilters({ filter }: { filter: OrderFilter }) {
  return (
    <ListFilters label="Orders" active={filter.active} clear={filter.clear}>
      <SearchField placeholder="Name, e-mail, package or order number" {...filter.field('search')} />
      <FilterSelect
        label="Payment status"
        options={choicesOf(paymentStatuses)}
        {...filter.field('paymentStatus')}
      />
      <FilterSelect
        label="Order status"
        options={choicesOf(orderStatuses)}
        {...filter.field('orderStatus')}
      />
      <div className="day-range">
        <DayField label="From" {...filter.field('from')} />
        <DayField label="To" {...filter.field('to')} />
      </div>
      <label className="order-filters__flag">
        <input
          type="checkbox"
          checked={filter.values.flagged === 'true'}
          onChange={({ target }) => filter.field('flagged').change(target.checked ? 'true' : '')}
        />
        Needs attention
      </label>
    </ListFilters>
  );
}
