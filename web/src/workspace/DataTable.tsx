import type { ReactNode } from 'react';
import { Icon } from '../components/Icon.js';
import { ColumnChoice } from './ColumnChoice.js';
import { Failure, type FailureProps } from './Failure.js';
import { useHiddenColumns } from './hidden-columns.js';
import type { Query } from './query.js';
import type { Selection } from './selection.js';
import { SelectionBar } from './SelectionBar.js';

export interface Column<T> {
  /** Unique among the columns; also its name in `sort`. */
  key: string;
  head: string;
  cell(row: T, index: number): ReactNode;
  /** For figures, and for the link at the end of a row. */
  align?: 'end';
  sortable?: boolean;
  /**
   * The column's place on a narrow screen, where each row takes two lines. `title` and `end` are the first line, `line` is a part of the second, and
   * the link in `open` covers the whole row. Other columns are left out. If no column has a place, each row becomes a block with the columns' names.
   */
  compact?: 'title' | 'end' | 'line' | 'open';
  /** Cannot be hidden: the row's name, or its actions. */
  alwaysShown?: boolean;
}

export interface Sort {
  by: string;
  descending: boolean;
  change(by: string): void;
}

interface DataTableProps<T> {
  caption: string;
  /** For tables below a heading with the same words. */
  captionHidden?: boolean;
  columns: readonly Column<T>[];
  rows: Pick<Query<readonly T[]>, 'data' | 'loading'> & FailureProps['query'];
  rowKey(row: T): string;
  /** Space is reserved for this many rows while they load. */
  skeletonRows: number;
  /** An `<Empty>`. */
  empty: ReactNode;
  /** Shown before the reason if the rows cannot be read. */
  failure?: string;
  sort?: Sort;
  /** If set, columns can be hidden, and the browser remembers the hidden ones under this name. */
  rememberAs?: string;
  /** Shown next to `ColumnChoice`. */
  tools?: ReactNode;
  /** If set, rows can be selected for bulk actions. */
  rowSelection?: RowSelection<T>;
}

interface RowSelection<T> {
  selection: Selection;
  /** The row's name, for its checkbox. */
  nameOf(row: T): string;
  actions: ReactNode;
}

/**
 * A failure to read the rows again does not take them away, nor a dialog that is open in one of them.
 *
 * The roles are explicit, because setting `display` on parts of a table removes their implicit roles.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const { caption, captionHidden, columns: all, rows, rowKey, empty, failure, sort, rowSelection } = props;
  const { isHidden, toggle } = useHiddenColumns(props.rememberAs);
  const columns = all.filter(({ key, alwaysShown }) => alwaysShown || !isHidden(key));
  if (rows.problem && !rows.data?.length) return <Failure what={failure} query={rows} />;
  if (rows.data?.length === 0 && !rows.loading) return empty;
  const table = (
    <>
      <Failure what={failure} query={rows} />
      <table
        className={all.some(({ compact }) => compact) ? 'data-table data-table--compact' : 'data-table'}
        role="table"
        aria-busy={rows.loading}
      >
        <caption className={captionHidden ? 'visually-hidden' : undefined}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {rowSelection && (
              <th role="columnheader" scope="col" className="data-table__select">
                <span className="visually-hidden">Select</span>
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.data?.map((row, index) => (
            <tr role="row" key={rowKey(row)} className={selectedClass(rowSelection, rowKey(row))}>
              {rowSelection && <SelectCell rowSelection={rowSelection} row={row} id={rowKey(row)} />}
              {columns.map(({ key, head, align, compact, cell }) => (
                <td
                  role="cell"
                  key={key}
                  data-head={head}
                  data-compact={compact}
                  className={align && 'data-table__end'}
                >
                  {cell(row, index)}
                </td>
              ))}
            </tr>
          )) ?? <Skeleton columns={columns.length + (rowSelection ? 1 : 0)} rows={props.skeletonRows} />}
        </tbody>
      </table>
    </>
  );
  if (!props.rememberAs && !props.tools && !rowSelection) return table;
  return (
    <div className="data-table-frame">
      <div className="table-tools">
        {rowSelection && (
          <SelectionBar caption={caption} selection={rowSelection.selection}>
            {rowSelection.actions}
          </SelectionBar>
        )}
        {props.tools}
        {props.rememberAs && (
          <ColumnChoice
            caption={caption}
            columns={all.filter(({ alwaysShown }) => !alwaysShown)}
            isHidden={isHidden}
            toggle={toggle}
          />
        )}
      </div>
      {table}
    </div>
  );
}

function selectedClass<T>(rowSelection: RowSelection<T> | undefined, id: string): string | undefined {
  return rowSelection?.selection.has(id) ? 'data-table__selected' : undefined;
}

/** With Shift, a click or Space also applies to the rows between this one and the one that was toggled last. */
function SelectCell<T>({ rowSelection, row, id }: { rowSelection: RowSelection<T>; row: T; id: string }) {
  const { selection, nameOf } = rowSelection;
  return (
    <td role="cell" data-head="Select" className="data-table__select">
      <label>
        <input
          type="checkbox"
          aria-label={`Select ${nameOf(row)}`}
          checked={selection.has(id)}
          onChange={({ nativeEvent }) => selection.toggle(id, (nativeEvent as MouseEvent).shiftKey)}
        />
      </label>
    </td>
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
