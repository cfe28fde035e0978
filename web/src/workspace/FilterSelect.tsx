import { useId } from 'react';
import type { FilterField } from './list-filter.js';

/** `value` is one of the options; empty for all. */
interface FilterSelectProps extends FilterField {
  label: string;
  options: readonly (readonly [value: string, text: string])[];
}

export function FilterSelect({ label, value, options, change }: FilterSelectProps) {
  const id = useId();
  return (
    <div className="field choice-field">
      <label htmlFor={id}>{label}</label>
      <select className="field__input" id={id} value={value} onChange={({ target }) => change(target.value)}>
        <option value="">All</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

export function optionsOf(words: Readonly<Record<string, { word: string }>>): [string, string][] {
  return Object.entries(words).map(([value, { word }]) => [value, word]);
}
