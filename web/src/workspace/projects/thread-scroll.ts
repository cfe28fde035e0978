import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface ThreadScrollOptions {
  /** The element with the list and the composer below it. */
  panel: RefObject<HTMLElement | null>;
  /** An empty element after the last entry. */
  end: RefObject<HTMLElement | null>;
  /** Numbers of the first and the last loaded entry. While there are no entries, `first` is undefined and `last` is 0. */
  first: number | undefined;
  last: number;
  /** Stay at the top of the screen at first. */
  startsAtTop: boolean;
}

export interface ThreadScroll {
  /** Whether the last entry is in view. */
  isAtEnd: boolean;
  toEnd(): void;
  /** Call it just before earlier entries are shown: those in view stay where they are. */
  keepPlace(): void;
}

/**
 * At first, scrolls to the line 'New', or to the end if everything was read; with `startsAtTop`, nowhere. Later, keeps the end in view as long
 * as the person does not scroll away from it.
 */
export function useThreadScroll({ panel, end, first, last, startsAtTop }: ThreadScrollOptions): ThreadScroll {
  const [isAtEnd, setAtEnd] = useState(false);
  const atEnd = useRef(false);
  const hasBegun = useRef(false);
  const kept = useRef<{ element: Element; top: number }>(undefined);

  function toEnd(): void {
    panel.current?.scrollIntoView({ block: 'end' });
  }

  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        atEnd.current = entries.at(-1)?.isIntersecting ?? false;
        setAtEnd(atEnd.current);
      },
      // The composer covers the end of the window.
      { rootMargin: '0px 0px -80px 0px' },
    );
    observer.observe(end.current);
    // Content of an entry may load after the entry, and push the end out of view. `atEnd` still says whether the end was in view before,
    // because resizes are reported before intersections.
    const growth = new ResizeObserver(() => {
      if (atEnd.current) panel.current?.scrollIntoView({ block: 'end' });
    });
    if (end.current.parentElement) growth.observe(end.current.parentElement);
    return () => {
      observer.disconnect();
      growth.disconnect();
    };
  }, [end, panel]);

  useLayoutEffect(() => {
    if (!kept.current) return;
    const { element, top } = kept.current;
    kept.current = undefined;
    window.scrollBy(0, element.getBoundingClientRect().top - top);
  }, [first]);

  useLayoutEffect(() => {
    if (!panel.current) return;
    if (!hasBegun.current) {
      hasBegun.current = true;
      if (startsAtTop) return;
      const line = panel.current.querySelector('[data-new]');
      if (line) line.scrollIntoView({ block: 'center' });
      else panel.current.scrollIntoView({ block: 'end' });
    } else if (atEnd.current) panel.current.scrollIntoView({ block: 'end' });
    // Runs at first, and then only when there is a new last entry.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [last]);

  return {
    isAtEnd,
    toEnd,
    keepPlace() {
      const element = panel.current?.querySelector('[data-entry]');
      if (element) kept.current = { element, top: element.getBoundingClientRect().top };
    },
  };
}
