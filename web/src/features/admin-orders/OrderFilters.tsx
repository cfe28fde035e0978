import { DayField } from '../../workspace/DayField.js';
import { SearchField } from '../../workspace/SearchField.js';
import type { Filter, OrderFilter } from './order-filter.js';

export function OrderFilters({ filter }: { filter: OrderFilter }) {
  return (
    <form
      className="order-filters"
      role="search"
      aria-label="Orders"
      onSubmit={(event) => event.preventDefault()}
    >
      <SearchField
        value={filter.value('search')}
        placeholder="Name, e-mail, package or order number"
        look={(text) => filter.set('search', text)}
      />
      <Choice
        filter={filter}
        name="paymentStatus"
        label="Payment status"
        values={['UnPaid', 'Paid', 'Cancelled']}
      />
      <Choice filter={filter} name="orderStatus" label="Order status" values={['Pending', 'Delivered']} />
      <DayField label="From" value={filter.value('from')} change={(day) => filter.set('from', day)} />
      <DayField label="To" value={filter.value('to')} change={(day) => filter.set('to', day)} />
      <label className="order-filters__flag">
        <input
          type="checkbox"
          checked={filter.value('flagged') === 'true'}
          onChange={({ target }) => filter.set('flagged', target.checked ? 'true' : '')}
        />
        Needs a look
      </label>
      {filter.active && (
        <button className="button button--plain" type="button" onClick={filter.clear}>
          Show all
        </button>
      )}
    </form>
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
    <div className="field">
      <label htmlFor={`order-${name}`}>{label}</label>
      <select
        className="field__input"
        id={`order-${name}`}
        value={filter.value(name)}
        onChange={({ target }) => filter.set(name, target.value)}
      >
        <option value="">All</option>
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </div>
  );
}
