import './conflict.css';
import { useEffect, useRef, useState } from 'react';
import { focusContentIfFocusIsLost } from './focus-content.js';
import { When } from './When.js';

interface ConflictingPart<Name extends string> {
  name: Name;
  label: string;
  yours: string;
  theirs: string;
  /** Only the other person has changed it. */
  onlyTheirsChanged: boolean;
}

export type ConflictSide = 'yours' | 'theirs';

interface ConflictChoiceProps<Name extends string> {
  parts: readonly ConflictingPart<Name>[];
  /** What a part is called in the text: `field`. */
  partName: string;
  /** When the other person saved; null if that is not known. */
  savedAt: string | null;
  saving: boolean;
  resolve(choice: Readonly<Partial<Record<Name, ConflictSide>>>): void;
  /** Goes back to the form with the chosen versions. */
  edit(choice: Readonly<Partial<Record<Name, ConflictSide>>>): void;
}

/** Two people changed one record: shows both versions of each part that differs, to choose from. */
export function ConflictChoice<Name extends string>({
  parts,
  partName,
  savedAt,
  saving,
  resolve,
  edit,
}: ConflictChoiceProps<Name>) {
  // If both changed a part, it defaults to what was typed here.
  const [choice, setChoice] = useState<Partial<Record<Name, ConflictSide>>>(
    () =>
      Object.fromEntries(
        parts.map(({ name, onlyTheirsChanged }) => [name, onlyTheirsChanged ? 'theirs' : 'yours']),
      ) as Partial<Record<Name, ConflictSide>>,
  );
  // The focus was on the Save button, far below this panel. Later it is on a button that disappears with the panel.
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus();
    return focusContentIfFocusIsLost;
  }, []);
  return (
    <section className="conflict" role="alert" aria-labelledby="conflict-heading" tabIndex={-1} ref={panel}>
      <h2 id="conflict-heading">Someone else edited this in the meantime</h2>
      <p>
        {savedAt ? (
          <>
            They saved their version on <When at={savedAt} time />. Yours isn’t lost:
          </>
        ) : (
          'Your version isn’t lost:'
        )}{' '}
        choose which version to keep for each {partName}.
      </p>
      {parts.map(({ name, label, ...sides }) => (
        <fieldset className="conflict__field" key={name}>
          <legend>{label}</legend>
          {(['yours', 'theirs'] as const).map((side) => (
            <label className="conflict__side" key={side}>
              <input
                type="radio"
                name={`conflict-${name}`}
                checked={choice[name] === side}
                onChange={() => setChoice((known) => ({ ...known, [name]: side }))}
              />
              <span className="conflict__name">{side === 'yours' ? 'Yours' : 'Theirs'}</span>
              <span className="conflict__value">{sides[side] || '(empty)'}</span>
            </label>
          ))}
        </fieldset>
      ))}
      <div className="buttons">
        <button className="button" type="button" aria-disabled={saving} onClick={() => resolve(choice)}>
          {saving ? 'Saving' : 'Save choices'}
        </button>
        <button className="button button--quiet" type="button" onClick={() => edit(choice)}>
          Keep editing
        </button>
      </div>
    </section>
  );
}
