import type { ReactNode } from 'react';

interface ListFiltersProps {
  /** The accessible name: what the list shows, such as 'Orders'. */
  label: string;
  /** Whether a filter is set. */
  active: boolean;
  /** Removes all filters. */
  clear(): void;
  /** Fields that take effect immediately. */
  children: ReactNode;
}

/** The filters above a list. */
export function ListFilters({ label, active, clear, children }: ListFiltersProps) {
  return (
    <form
      className="list-filters"
      role="search"
      aria-label={label}
      onSubmit={(event) => event.preventDefault()}
    >
      {children}
      {active && (
        <button className="button button--plain" type="button" onClick={clear}>
          Show all
        </button>
      )}
    </form>
  );
}
