import { useId, useRef } from 'react';
import { SearchField } from '../../../workspace/SearchField.js';
import type { ScreenPart } from '../content-screens.js';
import { recordSorts, type RecordView } from './record-view.js';

/** Search and sort controls. If records can be moved, but not in this view, a button goes back to the whole list in the site's order. */
export function RecordTools({
  part,
  view,
  movable,
}: {
  part: ScreenPart;
  view: RecordView;
  movable: boolean;
}) {
  const id = useId();
  const sortField = useRef<HTMLSelectElement>(null);
  const { many } = part.section.labels;
  function showSiteOrder(): void {
    view.showSiteOrder();
    // The button that was pressed disappears.
    sortField.current?.focus();
  }
  return (
    <>
      <form
        className="record-tools"
        role="search"
        aria-label={part.listHeading}
        onSubmit={(event) => event.preventDefault()}
      >
        <SearchField value={view.searchText} placeholder={`In ${many}`} change={view.search} />
        <div className="field">
          <label htmlFor={id}>Sort</label>
          <select
            className="field__input"
            id={id}
            ref={sortField}
            value={recordSorts.indexOf(view.sort)}
            onChange={({ target }) => view.sortBy(recordSorts[Number(target.value)]!)}
          >
            {recordSorts.map(({ label }, index) => (
              <option key={label} value={index}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </form>
      <div className="records__count" role="status">
        {view.isSearched && <p>{`${view.foundCount} of ${view.total} ${many} found`}</p>}
        {movable && !view.isSiteOrder && (
          <p>
            To move records, show them all in the site’s order.{' '}
            <button className="button button--plain" type="button" onClick={showSiteOrder}>
              Show site order
            </button>
          </p>
        )}
      </div>
    </>
  );
}
