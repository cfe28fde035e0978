import type { ReactNode } from 'react';
import { focusContent } from './focus-content.js';

interface ListFiltersProps {
  /** The accessible name: 'Orders'. */
  label: string;
  active: boolean;
  clear(): void;
  /** Fields that take effect immediately. */
  children: ReactNode;
}

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
        <button
          className="button button--plain"
          type="button"
          onClick={() => {
            clear();
            focusContent();
          }}
        >
          Show all
        </button>
      )}
    </form>
  );
}
