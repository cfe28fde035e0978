import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

interface DisclosureProps {
  className: string;
  buttonClassName?: string;
  button: ReactNode;
  children: ReactNode;
}

/** Opens and closes without JavaScript. With JavaScript, Escape, navigating, a click elsewhere and moving the focus elsewhere close it, too. */
export function Disclosure({ className, buttonClassName, button, children }: DisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  const { key: locationKey } = useLocation();
  useEffect(() => {
    const closeOnClickElsewhere = ({ target }: PointerEvent) => closeUnlessWithin(target);
    document.addEventListener('pointerdown', closeOnClickElsewhere);
    return () => document.removeEventListener('pointerdown', closeOnClickElsewhere);
  }, []);
  function closeUnlessWithin(target: EventTarget | null): void {
    if (details.current && target && !details.current.contains(target as Node)) details.current.open = false;
  }
  function closeOnEscape({ key: pressed }: KeyboardEvent): void {
    if (pressed !== 'Escape' || !details.current?.open) return;
    details.current.open = false;
    summary.current?.focus();
  }
  return (
    <details
      className={className}
      key={locationKey}
      ref={details}
      onKeyDown={closeOnEscape}
      // Safari focuses the nearest focusable ancestor, such as <main>, when a button or link in the menu is pressed.
      onBlur={({ relatedTarget, currentTarget }: FocusEvent) =>
        relatedTarget?.contains(currentTarget) || closeUnlessWithin(relatedTarget)
      }
    >
      <summary className={buttonClassName} ref={summary}>
        {button}
      </summary>
      {children}
    </details>
  );
}
