import { useEffect, useRef, useState } from 'react';
import { When } from '../../../workspace/When.js';
import type { TemplateForm } from './template-form.js';
import { templateOf, type TemplateValues, valuesOf } from './template-values.js';

const parts: readonly { name: keyof TemplateValues; label: string }[] = [
  { name: 'introduction', label: 'Introduction' },
  { name: 'questions', label: 'Questions' },
  { name: 'checklist', label: 'Checklist' },
  { name: 'deliveryDays', label: 'Working time' },
  { name: 'welcome', label: 'Welcome message' },
];

type Side = 'yours' | 'theirs';

/** Two people changed one template: shows both versions of each part that differs, to choose from. */
export function TemplateConflict({
  conflict,
  saving,
}: {
  conflict: NonNullable<TemplateForm['conflict']>;
  saving: boolean;
}) {
  const { mine, before, current } = conflict;
  const theirs = valuesOf(current);
  const differing = parts.filter(({ name }) => stored(mine, name) !== stored(theirs, name));
  // A part that only one of the two changed defaults to the change; if both did, to what was typed here.
  const [choice, setChoice] = useState<Partial<Record<keyof TemplateValues, Side>>>(() =>
    Object.fromEntries(
      differing.map(({ name }) => [name, stored(mine, name) === stored(before, name) ? 'theirs' : 'yours']),
    ),
  );
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const chosen: TemplateValues = Object.assign(
    { ...theirs },
    ...differing.map(({ name }) => (choice[name] === 'yours' ? { [name]: mine[name] } : {})),
  );
  return (
    <section className="conflict" role="alert" aria-labelledby="conflict-heading" tabIndex={-1} ref={panel}>
      <h2 id="conflict-heading">Someone else edited this meanwhile</h2>
      <p>
        {current.updatedAt && (
          <>
            Saved <When at={current.updatedAt} time />.{' '}
          </>
        )}
        Your changes aren’t lost: choose which version to keep for each part.
      </p>
      {differing.map(({ name, label }) => (
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
              <span className="conflict__value">
                {textOf(side === 'yours' ? mine : theirs, name) || '(empty)'}
              </span>
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

const stored = (values: TemplateValues, name: keyof TemplateValues) =>
  JSON.stringify(templateOf(values)[name]);

function textOf(values: TemplateValues, name: keyof TemplateValues): string {
  switch (name) {
    case 'questions':
      return values.questions.map(({ label }, index) => `${index + 1}. ${label}`).join('\n');
    case 'checklist':
      return values.checklist.map(({ text }) => `– ${text}`).join('\n');
    case 'deliveryDays':
      return values.deliveryDays && `${values.deliveryDays} days`;
    case 'introduction':
    case 'welcome':
      return values[name];
  }
}
