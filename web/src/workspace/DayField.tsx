import { useEffect, useId, useRef } from 'react';

interface DayFieldProps {
  label: string;
  /** YYYY-MM-DD, or empty. */
  value: string;
  change(day: string): void;
}

/** A day of the calendar. While it is half typed it is no day, and nothing changes. */
export function DayField({ label, value, change }: DayFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // What Back or another control brought, but never what somebody is about to type.
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = value;
  }, [value]);
  return (
    <div className="field day-field">
      <label htmlFor={id}>{label}</label>
      <input
        className="field__input"
        id={id}
        ref={input}
        type="date"
        // The year 202 is on the way to 2026.
        min="2000-01-01"
        max="2999-12-31"
        defaultValue={value}
        onChange={({ target }) => {
          if (target.validity.valid) change(target.value);
        }}
      />
    </div>
  );
}
