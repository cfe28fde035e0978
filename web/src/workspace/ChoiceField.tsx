import { useId } from 'react';

interface ChoiceFieldProps {
  label: string;
  /** One of the options, or empty: all. */
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  choose(value: string): void;
}

/** Narrows a list to one of several kinds. */
export function ChoiceField({ label, value, options, choose }: ChoiceFieldProps) {
  const id = useId();
  return (
    <div className="field choice-field">
      <label htmlFor={id}>{label}</label>
      <select className="field__input" id={id} value={value} onChange={({ target }) => choose(target.value)}>
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

/** Options of what has a word for each value. */
export function optionsOf(words: Readonly<Record<string, { word: string }>>): [string, string][] {
  return Object.entries(words).map(([value, { word }]) => [value, word]);
}
