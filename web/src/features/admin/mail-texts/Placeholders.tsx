import { type RefObject, useEffect, useRef } from 'react';
import type { EditableMail } from './mail-text-section.js';

type TextField = HTMLInputElement | HTMLTextAreaElement;

const isTextField = (target: EventTarget | null): target is TextField =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

interface PlaceholdersProps {
  placeholders: EditableMail['wording']['placeholders'];
  /** Holds the inputs `subject` and `text`. */
  fields: RefObject<HTMLElement | null>;
  change(name: string, value: string): void;
}

/** A click inserts a placeholder at the cursor, into the subject or the text, whichever had the focus last; by default, into the text. */
export function Placeholders({ placeholders, fields, change }: PlaceholdersProps) {
  const field = useLastUsed(fields);

  function insert(placeholder: string): void {
    const input = field.current ?? fields.current?.querySelector('textarea');
    if (!input) return;
    input.focus();
    // The only way to change a field so that the browser's Undo can revert it.
    if (document.execCommand('insertText', false, placeholder)) return;
    const { value, selectionStart, selectionEnd } = input;
    const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    change(input.name, value.slice(0, from) + placeholder + value.slice(to));
  }

  return (
    <section className="placeholders-section" aria-labelledby="placeholders-heading">
      <h2 className="placeholders__heading" id="placeholders-heading">
        Insert a placeholder
      </h2>
      <p className="field__help">Each e-mail shows the actual value instead.</p>
      <ul className="placeholders">
        {placeholders.map(({ name, meaning }) => (
          <li key={name}>
            <button
              type="button"
              aria-describedby={`placeholder-${name}`}
              onClick={() => insert(`{${name}}`)}
            >
              <span className="visually-hidden">Insert </span>
              {`{${name}}`}
            </button>
            <span id={`placeholder-${name}`}>{meaning}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useLastUsed(fields: RefObject<HTMLElement | null>): RefObject<TextField | null> {
  const last = useRef<TextField>(null);
  useEffect(() => {
    const container = fields.current;
    const remember = ({ target }: FocusEvent) => {
      // Not the other inputs, such as those with which an admin chooses between two versions.
      if (isTextField(target) && ['subject', 'text'].includes(target.name)) last.current = target;
    };
    container?.addEventListener('focusin', remember);
    return () => container?.removeEventListener('focusin', remember);
  }, [fields]);
  return last;
}
