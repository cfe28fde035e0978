import type { ReactNode } from 'react';
import { Icon } from '../components/Icon.js';
import { ColumnChoice } from './ColumnChoice.js';
import { Failure } from './Failure.js';
import { useHiddenColumns } from './hidden-columns.js';
import type { Query } from './query.js';

export interface Column<T> {
  /** Unique among the columns; also what `sort` calls it. */
  key: string;
  head: string;
  cell(row: T, index: number): ReactNode;
  /** Figures stand at the end, so that their places line up. */
  align?: 'end';
  sortable?: boolean;
  /** Cannot be hidden: what the row is about, or the way on. */
  always?: boolean;
}

export interface Sort {
  by: string;
  descending: boolean;
  change(by: string): void;
}

interface DataTableProps<T> {
  caption: string;
  /** The caption is said, but not seen: where a heading says the same. */
  captionHidden?: boolean;
  columns: readonly Column<T>[];
  rows: Query<readonly T[]>;
  rowKey(row: T): string;
  /** How many rows a page has: so many are held free while they are on their way. */
  size: number;
  /** What stands here when there are none: an `<Empty>`. */
  empty: ReactNode;
  /** Said before the reason when the rows cannot be read. */
  failure?: string;
  sort?: Sort;
  /** Columns can be chosen, and this browser remembers them under this name. */
  remember?: string;
  /** Beside the choice of columns. */
  tools?: ReactNode;
}

/**
 * Ruled rows. On a phone each row becomes a block with its columns' names, so the roles are written out: `display`
 * would take them away from a table that is laid out otherwise.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const { caption, captionHidden, columns: all, rows, rowKey, size, empty, failure, sort } = props;
  const { isHidden, toggle } = useHiddenColumns(props.remember);
  const columns = all.filter(({ key, always }) => always || !isHidden(key));
  if (rows.problem) return <Failure problem={rows.problem} what={failure} retry={rows.retry} />;
  if (rows.data?.length === 0 && !rows.loading) return empty;
  const table = (
    <table className="data-table" role="table" aria-busy={rows.loading}>
      <caption className={captionHidden ? 'visually-hidden' : undefined}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <Head key={column.key} column={column} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.data?.map((row, index) => (
          <tr role="row" key={rowKey(row)}>
            {columns.map(({ key, head, align, cell }) => (
              <td role="cell" key={key} data-head={head} className={align && 'data-table__end'}>
                {cell(row, index)}
              </td>
            ))}
          </tr>
        )) ?? <Skeleton columns={columns.length} rows={size} />}
      </tbody>
    </table>
  );
  if (!props.remember && !props.tools) return table;
  return (
    <div className="data-table-frame">
      <div className="table-tools">
        {props.tools}
        {props.remember && (
          <ColumnChoice
            caption={caption}
            columns={all.filter(({ always }) => !always)}
            isHidden={isHidden}
            toggle={toggle}
          />
        )}
      </div>
      {table}
    </div>
  );
}

function Head<T>({ column, sort }: { column: Column<T>; sort: Sort | undefined }) {
  const { key, head, align, sortable } = column;
  const className = align && 'data-table__end';
  if (!sortable || !sort) {
    return (
      <th role="columnheader" scope="col" className={className}>
        {head}
      </th>
    );
  }
  const sorted = sort.by === key;
  const direction = sort.descending ? 'descending' : 'ascending';
  return (
    <th role="columnheader" scope="col" className={className} aria-sort={sorted ? direction : 'none'}>
      <button className="data-table__sort" type="button" onClick={() => sort.change(key)}>
        {head}
        <span className={sorted ? `data-table__arrow data-table__arrow--${direction}` : 'data-table__arrow'}>
          <Icon name="arrow" />
        </span>
      </button>
    </th>
  );
}

/** As high as the rows that will come. */
function Skeleton({ columns, rows }: { columns: number; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr role="row" className="data-table__skeleton" key={row} aria-hidden="true">
      {Array.from({ length: columns }, (_, column) => (
        <td role="cell" key={column}>
          <span />
        </td>
      ))}
    </tr>
  ));
}
