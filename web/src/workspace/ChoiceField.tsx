import { useId } from 'react';

interface ChoiceFieldProps {
  label: string;
  /** One of the options; empty for all. */
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  choose(value: string): void;
}

/** A select that filters a list. */
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

/** The options for a map of words. */
export function optionsOf(words: Readonly<Record<string, { word: string }>>): [string, string][] {
  return Object.entries(words).map(([value, { word }]) => [value, word]);
}
