import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface ThreadScrollOptions {
  panel: RefObject<HTMLElement | null>;
  /** An empty element after the last entry. */
  end: RefObject<HTMLElement | null>;
  /** The `seq` of the first entry; undefined while there are none. */
  first: number | undefined;
  /** The `seq` of the last entry; 0 while there are none. */
  last: number;
  /** Whether the reader wrote the last entry. */
  lastIsOwn: boolean;
  startsAtTop: boolean;
}

export interface ThreadScroll {
  isAtEnd: boolean;
  scrollToEnd(): void;
  /** Call it just before earlier entries are shown, so that the entries in view stay where they are. */
  keepPlace(): void;
}

/**
 * At first, scrolls to the line 'New', or to the end if everything was read; with `startsAtTop`, does not scroll. Later, keeps the end in view as
 * long as the person does not scroll away from it, and shows what the person has sent.
 */
export function useThreadScroll(options: ThreadScrollOptions): ThreadScroll {
  const { panel, end, first, last, lastIsOwn, startsAtTop } = options;
  const [isAtEnd, setAtEnd] = useState(false);
  const atEnd = useRef(false);
  const hasBegun = useRef(false);
  const keptPlace = useRef<{ element: Element; top: number }>(undefined);

  function scrollToEnd(): void {
    panel.current?.scrollIntoView({ block: 'end' });
  }

  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        atEnd.current = entries.at(-1)?.isIntersecting ?? false;
        setAtEnd(atEnd.current);
      },
      // The composer covers the bottom of the window.
      { rootMargin: '0px 0px -80px 0px' },
    );
    observer.observe(end.current);
    // Content that loads later may push the end out of view. `atEnd` still says whether the end was in view before, because resizes are reported
    // before intersections.
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
    if (!keptPlace.current) return;
    const { element, top } = keptPlace.current;
    keptPlace.current = undefined;
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
    } else if (atEnd.current || lastIsOwn) panel.current.scrollIntoView({ block: 'end' });
    // Runs at first, and then only when there is a new last entry.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [last]);

  return {
    isAtEnd,
    scrollToEnd,
    keepPlace() {
      const element = panel.current?.querySelector('[data-entry]');
      if (element) keptPlace.current = { element, top: element.getBoundingClientRect().top };
    },
  };
}
