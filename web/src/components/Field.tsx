import type { ComponentProps } from 'react';

interface FieldProps {
  /** Unique on the page; also the name of the value in the form's data. */
  name: string;
  label: string;
  /** Shown under the input and announced with it. */
  error?: string;
}

type InputProps = FieldProps & Omit<ComponentProps<'input'>, 'name' | 'id'>;
type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'name' | 'id'>;

const errorId = (name: string) => `${name}-error`;

function inputProps({ name, error }: FieldProps) {
  return {
    id: name,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? errorId(name) : undefined,
  };
}

export function Field({ name, label, error, ...input }: InputProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        className="field__input"
        type="text"
        dir="auto"
        {...inputProps({ name, label, error })}
        {...input}
      />
      <FieldFault name={name} error={error} />
    </div>
  );
}

export function TextAreaField({ name, label, error, ...area }: TextAreaProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <textarea className="field__input" dir="auto" {...inputProps({ name, label, error })} {...area} />
      <FieldFault name={name} error={error} />
    </div>
  );
}

export function CheckboxField({ name, label, error, children, ...input }: InputProps) {
  return (
    <div className="field field--checkbox">
      <input type="checkbox" {...inputProps({ name, label, error })} {...input} />
      <label htmlFor={name}>{children ?? label}</label>
      <FieldFault name={name} error={error} />
    </div>
  );
}

function FieldFault({ name, error }: { name: string; error: string | undefined }) {
  return error ? (
    <p className="field__error" id={errorId(name)}>
      {error}
    </p>
  ) : null;
}
