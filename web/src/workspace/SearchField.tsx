import { useEffect, useId, useRef } from 'react';

/** Typing pauses for so long before it is looked for, in ms. */
const pauseMs = 300;

interface SearchFieldProps {
  /** What is looked for now; kept in the address by whoever uses this. */
  value: string;
  placeholder?: string;
  look(text: string): void;
}

/** Looks while it is typed, one search for each pause. */
export function SearchField({ value, placeholder, look }: SearchFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What Back or ‘Show all’ brought, but never what somebody is about to type.
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = value;
  }, [value]);
  useEffect(() => () => clearTimeout(pause.current), []);
  // After the pause the address may be another one: a filter was chosen meanwhile, which stays.
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  function afterPause(): void {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => latest.current(input.current?.value.trim() ?? ''), pauseMs);
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
        onChange={afterPause}
      />
    </div>
  );
}
