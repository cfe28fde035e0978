import { useEffect, useId, useRef } from 'react';
import type { FilterField } from './list-filter.js';

/** The value is YYYY-MM-DD or empty. A partly typed date changes nothing. */
export function DayField({ label, value, change }: FilterField & { label: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  /** Typed days that have not come back as `value` yet. */
  const awaited = useRef<string[]>([]);
  // Takes over values from Back or another control, but does not overwrite what is being typed. If a cleared day gets a default, the field shows it
  // when it loses the focus, so that another day can be typed first.
  useEffect(() => {
    const field = input.current;
    const place = awaited.current.indexOf(value);
    awaited.current = place < 0 ? [] : awaited.current.slice(place + 1);
    const isCleared = field?.value === '' && field === document.activeElement;
    if (place < 0 && field && !isCleared) field.value = value;
  }, [value]);
  return (
    <div className="field day-field">
      <label htmlFor={id}>{label}</label>
      <input
        className="field__input"
        id={id}
        ref={input}
        type="date"
        // While 2026 is typed, the year is 202 for a moment, which `min` makes invalid.
        min="2000-01-01"
        max="2999-12-31"
        defaultValue={value}
        onChange={({ target }) => {
          if (!target.validity.valid) return;
          awaited.current.push(target.value);
          change(target.value);
        }}
        onBlur={({ target }) => {
          if (target.value === '' && target.validity.valid) target.value = value;
        }}
      />
    </div>
  );
}
