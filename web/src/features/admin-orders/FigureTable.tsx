import type { ReactNode } from 'react';

interface FigureTableProps<T> {
  caption: string;
  /** First the heading of the names, then those of the figures. */
  heads: readonly string[];
  rows: readonly T[];
  rowKey(row: T): string;
  name(row: T): ReactNode;
  /** Length of the row's bar; the largest value fills the width. Without it there are no bars. */
  value?(row: T): number;
  /** The figures, formatted. */
  cells(row: T): readonly ReactNode[];
  /** Changes the colour of the bars. */
  tone?: 'waiting';
}

/** The bars are hidden from screen readers, because they add no information to the figures. */
export function FigureTable<T>({
  caption,
  heads,
  rows,
  rowKey,
  name,
  value,
  cells,
  tone,
}: FigureTableProps<T>) {
  const longest = value ? Math.max(...rows.map(value), 0) : 0;
  return (
    <table className="figure-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {heads.map((head, index) => (
            <th key={head} scope="col" className={index > 0 ? 'figure-table__figure' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            <th scope="row">
              {name(row)}
              {value && (
                <svg
                  className={`figure-table__bar ${tone ? `figure-table__bar--${tone}` : ''}`}
                  viewBox="0 0 100 1"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                >
                  <rect width="100" height="1" className="figure-table__rest" />
                  <rect width={longest > 0 ? (100 * value(row)) / longest : 0} height="1" />
                </svg>
              )}
            </th>
            {cells(row).map((cell, index) => (
              <td key={heads[index + 1]} className="figure-table__figure">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
