import { useEffect, useId, useRef } from 'react';
import type { FilterField } from './list-filter.js';

interface DayFieldProps extends FilterField {
  label: string;
  /** A day that is cleared comes back when the field loses the focus. */
  required?: boolean;
}

/** The value is YYYY-MM-DD, or empty if the field is not `required`. A partly typed date changes nothing. */
export function DayField({ label, value, change, required = false }: DayFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  /** Typed days that have not come back as `value` yet. */
  const awaited = useRef<string[]>([]);
  // Takes over values from Back or another control, but does not overwrite what is being typed.
  useEffect(() => {
    const place = awaited.current.indexOf(value);
    awaited.current = place < 0 ? [] : awaited.current.slice(place + 1);
    if (place < 0 && input.current) input.current.value = value;
  }, [value]);
  return (
    <div className="field day-field">
      <label htmlFor={id}>{label}</label>
      <input
        className="field__input"
        id={id}
        ref={input}
        type="date"
        required={required}
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
          if (required && target.value === '') target.value = value;
        }}
      />
    </div>
  );
}
