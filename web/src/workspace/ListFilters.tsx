import type { ReactNode } from 'react';
import { ShowAll } from './ShowAll.js';

interface ListFiltersProps {
  /** The accessible name: 'Orders'. */
  label: string;
  active: boolean;
  clear(): void;
  /** Fields whose changes take effect without a submit button. */
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
      {active && <ShowAll look="plain" showAll={clear} />}
    </form>
  );
}
