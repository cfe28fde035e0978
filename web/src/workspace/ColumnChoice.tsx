import { type FocusEvent, type KeyboardEvent, useRef } from 'react';

interface ColumnChoiceProps {
  /** The table's caption. */
  caption: string;
  columns: readonly { key: string; head: string }[];
  isHidden(key: string): boolean;
  toggle(key: string): void;
}

/** Closes on Escape and when an element outside of it gets the focus. */
export function ColumnChoice({ caption, columns, isHidden, toggle }: ColumnChoiceProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !details.current?.open) return;
    details.current.open = false;
    summary.current?.focus();
  }
  function closeOnFocusElsewhere({ relatedTarget }: FocusEvent): void {
    if (details.current && relatedTarget && !details.current.contains(relatedTarget as Node))
      details.current.open = false;
  }
  return (
    <details className="column-choice" ref={details} onKeyDown={closeOnEscape} onBlur={closeOnFocusElsewhere}>
      <summary className="button button--plain" ref={summary}>
        Columns
      </summary>
      <fieldset className="column-choice__list">
        <legend>Columns of {caption}</legend>
        {columns.map(({ key, head }) => (
          <label key={key}>
            <input type="checkbox" checked={!isHidden(key)} onChange={() => toggle(key)} />
            {head}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
