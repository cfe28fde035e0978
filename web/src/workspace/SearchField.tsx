import { useEffect, useId, useRef } from 'react';
import type { FilterField } from './list-filter.js';

const pauseMs = 300;

/** Searches while typing, after each pause. */
export function SearchField({ value, change, placeholder }: FilterField & { placeholder?: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Shows the value that the Back button or ‘Show all’ has set, but does not overwrite what is being typed.
  useEffect(() => {
    const isTyping = pause.current !== undefined && input.current === document.activeElement;
    if (!isTyping && input.current && input.current.value.trim() !== value) input.current.value = value;
  }, [value]);
  useEffect(() => () => clearTimeout(pause.current), []);
  // `change` may be replaced during the pause.
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  function searchAfterPause(): void {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => {
      pause.current = undefined;
      latest.current(input.current?.value.trim() ?? '');
    }, pauseMs);
  }
  return (
    <div className="field search-field">
      <label htmlFor={id}>Search</label>
      <input
        className="field__input"
        id={id}
        ref={input}
        type="search"
        placeholder={placeholder}
        maxLength={254}
        defaultValue={value}
        onChange={searchAfterPause}
      />
    </div>
  );
}
