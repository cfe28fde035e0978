import { type RefObject, useEffect, useRef } from 'react';
import type { EditableMail } from './mail-text-section.js';

type TextField = HTMLInputElement | HTMLTextAreaElement;

const isTextField = (target: EventTarget | null): target is TextField =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

interface PlaceholdersProps {
  placeholders: EditableMail['wording']['placeholders'];
  /** Contains the inputs `subject` and `text`. */
  container: RefObject<HTMLElement | null>;
  change(name: string, value: string): void;
}

/** A click inserts a placeholder at the cursor, into the subject or the text, whichever had the focus last; by default, into the text. */
export function Placeholders({ placeholders, container, change }: PlaceholdersProps) {
  const lastFocused = useLastFocused(container);

  function insert(placeholder: string): void {
    const input = lastFocused.current ?? container.current?.querySelector('textarea');
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

function useLastFocused(container: RefObject<HTMLElement | null>): RefObject<TextField | null> {
  const last = useRef<TextField>(null);
  useEffect(() => {
    const element = container.current;
    const remember = ({ target }: FocusEvent) => {
      // Other inputs, such as the choice between two versions in a conflict, take no placeholders.
      if (isTextField(target) && ['subject', 'text'].includes(target.name)) last.current = target;
    };
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, [container]);
  return last;
}
