import type { ReactNode } from 'react';

/** Items without a value (undefined, null or empty) are left out. */
export function Details({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="details">
      {items.map(([name, value]) =>
        value === undefined || value === null || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
