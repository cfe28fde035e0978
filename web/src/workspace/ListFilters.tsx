import type { ReactNode } from 'react';

interface ListFiltersProps {
  /** Of which list. */
  label: string;
  /** Something is narrowed down. */
  active: boolean;
  /** Shows all of it again. */
  clear(): void;
  /** Fields that take effect as they change. */
  children: ReactNode;
}

/** What a list is narrowed down by, in a row above it. */
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
