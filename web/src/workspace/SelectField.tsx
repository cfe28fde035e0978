import type { ComponentProps } from 'react';

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'name' | 'id'> {
  /** The element's name and id. Unique on the screen. */
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  error?: string | undefined;
  hint?: string | undefined;
}

export function SelectField({ name, label, options, error, hint, ...select }: SelectFieldProps) {
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <select
        className="field__input"
        id={name}
        name={name}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
        {...select}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {hint && (
        <p className="field__hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field__error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
