import { ChoiceField } from '../../workspace/ChoiceField.js';
import { DayField } from '../../workspace/DayField.js';
import { ListFilters } from '../../workspace/ListFilters.js';
import { SearchField } from '../../workspace/SearchField.js';
import { type Filter, type OrderFilter, orderStatuses, paymentStatuses } from './order-filter.js';

export function OrderFilters({ filter }: { filter: OrderFilter }) {
  return (
    <ListFilters label="Orders" active={filter.active} clear={filter.clear}>
      <SearchField
        value={filter.value('search')}
        placeholder="Name, e-mail, package or order number"
        search={(text) => filter.set('search', text)}
      />
      <Choice
        filter={filter}
        name="paymentStatus"
        label="Payment status"
        values={Object.keys(paymentStatuses)}
      />
      <Choice filter={filter} name="orderStatus" label="Order status" values={Object.keys(orderStatuses)} />
      <DayField label="From" value={filter.value('from')} change={(day) => filter.set('from', day)} />
      <DayField label="To" value={filter.value('to')} change={(day) => filter.set('to', day)} />
      <label className="order-filters__flag">
        <input
          type="checkbox"
          checked={filter.value('flagged') === 'true'}
          onChange={({ target }) => filter.set('flagged', target.checked ? 'true' : '')}
        />
        Needs attention
      </label>
    </ListFilters>
  );
}

interface ChoiceProps {
  filter: OrderFilter;
  name: Filter;
  label: string;
  values: readonly string[];
}

function Choice({ filter, name, label, values }: ChoiceProps) {
  return (
    <ChoiceField
      label={label}
      value={filter.value(name)}
      options={values.map((value) => [value, value])}
      choose={(value) => filter.set(name, value)}
    />
  );
}
