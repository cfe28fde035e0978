import { type RefObject, useEffect, useRef } from 'react';

/**
 * For the heading of a record, which needs `tabIndex={-1}`: it gets the focus when a change of the record has removed the button that had
 * it.
 */
export function useHeadingFocus(version: number): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(version);
  useEffect(() => {
    if (shown.current !== version && document.activeElement === document.body) heading.current?.focus();
    shown.current = version;
  }, [version]);
  return heading;
}
