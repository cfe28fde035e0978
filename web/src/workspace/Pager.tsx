import { type RefObject, useEffect, useId, useRef } from 'react';
import type { Paged } from './paging.js';

interface PagerProps {
  /** What is paged, for the accessible name: 'orders'. */
  label: string;
  list: Pick<Paged<unknown>, 'page' | 'pages' | 'size' | 'sizes' | 'go' | 'resize'>;
}

export function Pager({ label, list: { page, pages, size, sizes, go, resize } }: PagerProps) {
  const sizeId = useId();
  const previous = useRef<HTMLButtonElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const buttonToFocus = useRef<RefObject<HTMLButtonElement | null>>(null);
  function step(to: number): void {
    buttonToFocus.current = to === 1 ? next : to === pages ? previous : null;
    go(to);
  }
  // A button that is disabled now has lost the focus, so the other one gets it.
  useEffect(() => {
    buttonToFocus.current?.current?.focus();
    buttonToFocus.current = null;
  }, [page]);
  return (
    <nav className="pager" aria-label={`Pages of ${label}`}>
      <button
        className="button button--quiet"
        type="button"
        ref={previous}
        disabled={page <= 1}
        onClick={() => step(page - 1)}
      >
        Previous
      </button>
      <ol className="pager__pages">
        {pagesAround(page, pages).map((shownPage) => (
          <li key={shownPage}>
            <button
              className="pager__page"
              type="button"
              aria-label={`Page ${shownPage}`}
              aria-current={shownPage === page ? 'page' : undefined}
              onClick={() => go(shownPage)}
            >
              {shownPage}
            </button>
          </li>
        ))}
      </ol>
      <p className="pager__place" aria-live="polite">
        Page {page} of {pages}
      </p>
      <button
        className="button button--quiet"
        type="button"
        ref={next}
        disabled={page >= pages}
        onClick={() => step(page + 1)}
      >
        Next
      </button>
      {sizes.length > 0 && (
        <div className="pager__size">
          <label htmlFor={sizeId}>
            Rows<span className="visually-hidden"> of {label} on a page</span>
          </label>
          <select
            className="field__input"
            id={sizeId}
            value={size}
            onChange={({ target }) => resize(Number(target.value))}
          >
            {sizes.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        </div>
      )}
    </nav>
  );
}

/** The first, the last, and at most five around the page: `[1, 8, 9, 10, 11, 12, 40]`. */
export function pagesAround(page: number, pages: number): number[] {
  const from = Math.max(1, Math.min(page - 2, pages - 4));
  const around = Array.from({ length: Math.min(5, pages) }, (_, index) => from + index);
  return [...new Set([1, ...around, pages])];
}
