import { type RefObject, useEffect, useRef } from 'react';

/** Focuses the heading of a record if a change of the record has removed the focused button. The heading needs `tabIndex={-1}`. */
export function useHeadingFocus(version: number): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(version);
  useEffect(() => {
    if (shown.current !== version && document.activeElement === document.body) heading.current?.focus();
    shown.current = version;
  }, [version]);
  return heading;
}
