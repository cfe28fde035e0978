import { useEffect, useRef } from 'react';
import type { Filter, OrderFilter } from './order-filter.js';

/** Typing pauses for so long before it is looked for, in ms. */
const pauseMs = 300;

export function OrderFilters({ filter }: { filter: OrderFilter }) {
  return (
    <form
      className="order-filters"
      role="search"
      aria-label="Orders"
      onSubmit={(event) => event.preventDefault()}
    >
      <SearchField filter={filter} />
      <Choice
        filter={filter}
        name="paymentStatus"
        label="Payment status"
        values={['UnPaid', 'Paid', 'Cancelled']}
      />
      <Choice filter={filter} name="orderStatus" label="Order status" values={['Pending', 'Delivered']} />
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

function SearchField({ filter }: { filter: OrderFilter }) {
  const input = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const looked = filter.value('search');
  // What Back or ‘Show all’ brought, but never what somebody is about to type.
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = looked;
  }, [looked]);
  useEffect(() => () => clearTimeout(pause.current), []);
  function look(): void {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => filter.set('search', input.current?.value.trim() ?? ''), pauseMs);
  }
  return (
    <div className="field order-filters__search">
      <label htmlFor="order-search">Search</label>
      <input
        className="field__input"
        id="order-search"
        ref={input}
        type="search"
        placeholder="Name, e-mail, package or order number"
        maxLength={254}
        defaultValue={looked}
        onChange={look}
      />
    </div>
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
