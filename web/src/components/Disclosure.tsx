import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useLocation } from 'react-router-dom';

interface DisclosureProps {
  className: string;
  /** The class of the button. */
  buttonClassName?: string;
  /** The content of the button. */
  button: ReactNode;
  children: ReactNode;
}

/** A button that shows and hides what follows it, even without JavaScript. Escape and navigating close it. */
export function Disclosure({ className, buttonClassName, button, children }: DisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  const { key } = useLocation();
  function closeOnEscape({ key: pressed }: KeyboardEvent): void {
    if (pressed !== 'Escape' || !details.current?.open) return;
    details.current.open = false;
    summary.current?.focus();
  }
  return (
    <details className={className} key={key} ref={details} onKeyDown={closeOnEscape}>
      <summary className={buttonClassName} ref={summary}>
        {button}
      </summary>
      {children}
    </details>
  );
}
