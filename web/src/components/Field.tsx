import type { ComponentProps, ReactNode } from 'react';

interface FieldProps {
  /** Unique on the page; also the name of the value in the form's data. */
  name: string;
  label: string;
  error?: string;
  /** What to enter. Always shown, unlike `error`. */
  hint?: ReactNode;
}

type InputProps = FieldProps &
  Omit<ComponentProps<'input'>, 'name' | 'id'> & {
    /** A button inside the field, such as 'Show'. */
    action?: ReactNode;
  };
type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'name' | 'id'>;

const errorId = (name: string) => `${name}-error`;

const hintId = (name: string) => `${name}-hint`;

function inputProps({ name, error, hint }: Omit<FieldProps, 'label'>) {
  const describedBy = [hint && hintId(name), error && errorId(name)].filter(Boolean).join(' ');
  return {
    id: name,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy || undefined,
  };
}

export function Field({ name, label, error, hint, action, ...input }: InputProps) {
  return (
    <div className={action ? 'field field--action' : 'field'}>
      <label htmlFor={name}>{label}</label>
      <input
        className="field__input"
        type="text"
        dir="auto"
        {...inputProps({ name, error, hint })}
        {...input}
      />
      {action}
      {hint && (
        <p className="field__hint" id={hintId(name)}>
          {hint}
        </p>
      )}
      <ErrorText name={name} error={error} />
    </div>
  );
}

export function TextAreaField({ name, label, error, hint, ...area }: TextAreaProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <textarea className="field__input" dir="auto" {...inputProps({ name, error, hint })} {...area} />
      {hint && (
        <p className="field__hint" id={hintId(name)}>
          {hint}
        </p>
      )}
      <ErrorText name={name} error={error} />
    </div>
  );
}

type CheckboxProps = Omit<InputProps, 'label' | 'hint' | 'action' | 'children'> & { label: ReactNode };

export function CheckboxField({ name, label, error, ...input }: CheckboxProps) {
  return (
    <div className="field field--checkbox">
      <input type="checkbox" {...inputProps({ name, error })} {...input} />
      <label htmlFor={name}>{label}</label>
      <ErrorText name={name} error={error} />
    </div>
  );
}

function ErrorText({ name, error }: { name: string; error: string | undefined }) {
  return error ? (
    <p className="field__error" id={errorId(name)}>
      {error}
    </p>
  ) : null;
}
