import { useEffect, useId, useRef } from 'react';

interface DayFieldProps {
  label: string;
  /** YYYY-MM-DD, or empty. */
  value: string;
  change(day: string): void;
}

/** A date input. A partly typed date is not a date yet, and changes nothing. */
export function DayField({ label, value, change }: DayFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // Takes over values from Back or another control, but does not overwrite what is being typed.
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
        // While 2026 is typed, the year is 202 for a moment.
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
