import { useEffect, useRef, useState } from 'react';
import type { Section } from '#libs/content-model';
import { When } from '../../../workspace/When.js';
import type { Values } from '../../../workspace/content-api.js';
import { type RecordForm, valuesOf } from './record-form.js';

interface ConflictChoiceProps {
  section: Section;
  conflict: NonNullable<RecordForm['conflict']>;
  saving: boolean;
}

type Side = 'yours' | 'theirs';

/** Two people changed one record: shows both versions of each field that differs, to choose from. */
export function ConflictChoice({ section, conflict, saving }: ConflictChoiceProps) {
  const { mine, before, current } = conflict;
  const theirs = valuesOf(section, current);
  const differing = Object.keys(section.fields).filter((name) => mine[name] !== theirs[name]);
  // A field that only one of the two changed defaults to the change; if both did, to what was typed here.
  const [choice, setChoice] = useState<Record<string, Side>>(() =>
    Object.fromEntries(differing.map((name) => [name, mine[name] === before[name] ? 'theirs' : 'yours'])),
  );
  // The Save button was far below, so the focus moves to this panel.
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const chosen: Values = Object.fromEntries(
    Object.keys(section.fields).map((name) => [
      name,
      (choice[name] === 'yours' ? mine[name] : theirs[name]) ?? '',
    ]),
  );
  return (
    <section className="conflict" role="alert" aria-labelledby="conflict-heading" tabIndex={-1} ref={panel}>
      <h2 id="conflict-heading">Someone else edited this meanwhile</h2>
      <p>
        Saved <When at={current.updatedAt} time />. Your changes aren’t lost: choose which version to keep for
        each field.
      </p>
      {differing.map((name) => (
        <fieldset className="conflict__field" key={name}>
          <legend>{section.fields[name]?.label}</legend>
          {(['yours', 'theirs'] as const).map((side) => (
            <label className="conflict__side" key={side}>
              <input
                type="radio"
                name={`conflict-${name}`}
                checked={choice[name] === side}
                onChange={() => setChoice((known) => ({ ...known, [name]: side }))}
              />
              <span className="conflict__name">{side === 'yours' ? 'Yours' : 'Theirs'}</span>
              <span className="conflict__value">{(side === 'yours' ? mine : theirs)[name] || '(empty)'}</span>
            </label>
          ))}
        </fieldset>
      ))}
      <div className="buttons">
        <button
          className="button"
          type="button"
          aria-disabled={saving}
          onClick={() => void conflict.resolve(chosen)}
        >
          {saving ? 'Saving' : 'Save choices'}
        </button>
        <button className="button button--quiet" type="button" onClick={() => conflict.edit(chosen)}>
          Keep editing
        </button>
      </div>
    </section>
  );
}
