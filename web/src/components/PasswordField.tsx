import { type ComponentProps, useState } from 'react';
import { usePageData } from '../lib/site.js';
import { Field } from './Field.js';

export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'action'>) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      // A visible password must not be capitalized, corrected or sent to a spell checker.
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      action={
        <button
          className="field__action"
          type="button"
          aria-controls={props.name}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
          <span className="visually-hidden"> password</span>
        </button>
      }
    />
  );
}

/** For choosing a password. Says beforehand what is accepted. */
export function NewPasswordField(props: Omit<ComponentProps<typeof PasswordField>, 'hint' | 'autoComplete'>) {
  const { passwordMinLength = 6 } = usePageData();
  return (
    <PasswordField
      {...props}
      autoComplete="new-password"
      hint={`Use at least ${passwordMinLength} characters, and nothing easy to guess: common passwords, your e-mail address and this site’s name aren’t accepted.`}
    />
  );
}
