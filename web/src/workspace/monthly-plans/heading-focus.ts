import { type RefObject, useEffect, useRef } from 'react';

/** Focuses the heading of a record if a change of the record has removed the focused button. The heading needs `tabIndex={-1}`. */
export function useHeadingFocus(version: number): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const shownVersion = useRef(version);
  useEffect(() => {
    if (shownVersion.current !== version && document.activeElement === document.body)
      heading.current?.focus();
    shownVersion.current = version;
  }, [version]);
  return heading;
}
