import type { ReactNode } from 'react';
import type { Field } from '#libs/content-model';
import { MarkdownInput } from './MarkdownInput.js';
import { ImageInput, type InputProps } from '../images/ImageInput.js';
import type { UploadState } from '../images/upload.js';

export type RenderControl = (inputProps: InputProps) => ReactNode;

interface FieldInputProps {
  /** The field's name in the API. */
  name: string;
  field: Field;
  value: string;
  error: string | undefined;
  change(name: string, value: string): void;
  /** Called when an upload for this field starts and ends. */
  onUploadStateChange(name: string, state: UploadState): void;
  /** Replaces the default control. */
  renderControl?: RenderControl;
}

export function FieldInput({
  name,
  field,
  value,
  error,
  change,
  onUploadStateChange,
  renderControl,
}: FieldInputProps) {
  const { label, required, help, recommendedLength } = field;
  const describedBy = [
    help && `${name}-help`,
    recommendedLength && `${name}-length`,
    error && `${name}-error`,
  ];
  const inputProps = {
    id: name,
    name,
    value,
    className: 'field__input',
    'aria-required': required,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy.filter(Boolean).join(' ') || undefined,
    onChange: ({ target }: { target: { value: string } }) => change(name, target.value),
  } as const;
  return (
    <div className="field">
      <label htmlFor={name}>
        {label}
        {!required && <span className="field__optional"> (optional)</span>}
      </label>
      {renderControl ? (
        renderControl(inputProps)
      ) : (
        <DefaultControl field={field} inputProps={inputProps} onUploadStateChange={onUploadStateChange} />
      )}
      {help && (
        <p className="field__help" id={`${name}-help`}>
          {help}
        </p>
      )}
      {recommendedLength && (
        <p className="field__help" id={`${name}-length`}>
          {value.length}/{recommendedLength} characters
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

interface ControlProps extends Pick<FieldInputProps, 'field' | 'onUploadStateChange'> {
  inputProps: InputProps;
}

function DefaultControl({
  field: { kind, options = [], required, formatted },
  inputProps,
  onUploadStateChange,
}: ControlProps) {
  switch (kind) {
    case 'longText':
      return formatted ? <MarkdownInput inputProps={inputProps} /> : <textarea rows={4} {...inputProps} />;
    case 'choice':
      return (
        <select {...inputProps}>
          {(!required || inputProps.value === '') && <option value="">Choose one</option>}
          {/* From a draft: a colleague may have used the option since. */}
          {inputProps.value !== '' && !options.includes(inputProps.value) && (
            <option disabled>{inputProps.value}</option>
          )}
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      );
    case 'image':
      return <ImageInput inputProps={inputProps} onUploadStateChange={onUploadStateChange} />;
    case 'link':
      return <input type="text" inputMode="url" spellCheck={false} {...inputProps} />;
    case 'price':
      return <input type="text" inputMode="decimal" {...inputProps} />;
    case 'text':
      return <input type="text" {...inputProps} />;
  }
}
