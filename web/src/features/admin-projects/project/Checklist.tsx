import { type FormEvent, useId, useRef, useState } from 'react';
import { projectLimits, type StaffProject } from '#libs/contracts';
import { FormProblem } from '../../../components/FormProblem.js';
import { Icon } from '../../../components/Icon.js';
import { newIdempotencyKey as newId } from '../../../lib/form.js';
import { useAccount } from '../../../workspace/current-screen.js';
import { formatDateTime } from '../../../workspace/formats.js';
import { offerUndo } from '../../../workspace/undo.js';
import { ReorderButtons } from '../ReorderButtons.js';
import { adding, placing, removing, type Step, ticking } from './step-changes.js';
import { useChecklist } from './use-checklist.js';

/** Only staff see the steps. */
export function Checklist({ project }: { project: StaffProject }) {
  const { steps, change, problem } = useChecklist(project);
  const [editing, setEditing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const doneCount = steps.filter((step) => step.done).length;

  function add(text: string): void {
    void change(adding({ id: newId(), text, done: null, isNew: true }));
    // The form disappears after the last allowed step.
    if (steps.length + 1 >= projectLimits.checklist) heading.current?.focus();
  }

  function remove(step: Step, index: number): void {
    void change(removing(step.id));
    offerUndo(`Removed the step ‘${step.text}’`, () => change(adding(step, index)));
    // The focused button is gone.
    heading.current?.focus();
  }

  return (
    <section className="panel project-panel" aria-labelledby="project-checklist">
      <div className="panel__head">
        <h2 id="project-checklist" tabIndex={-1} ref={heading}>
          Checklist
        </h2>
        {steps.length > 0 && (
          <span className="field__hint">
            {doneCount} of {steps.length} done
          </span>
        )}
      </div>
      {steps.length > 0 && (
        <progress
          className="checklist__progress"
          max={steps.length}
          value={doneCount}
          aria-label="Steps done"
        />
      )}
      {steps.length === 0 && (
        <p className="field__hint">No steps yet. The package’s template can add steps to each new project.</p>
      )}
      <ul className="checklist">
        {steps.map((step, index) => (
          <li className="checklist__item" key={step.id}>
            <Row step={step} change={change} />
            {editing && (
              <span className="checklist__tools">
                <ReorderButtons
                  name={`‘${step.text}’`}
                  index={index}
                  count={steps.length}
                  move={(to) => void change(placing(step.id, to < index ? 'before' : 'after', steps[to]!.id))}
                />
                <button className="icon-button" type="button" onClick={() => remove(step, index)}>
                  <Icon name="close" />
                  <span className="visually-hidden">Remove ‘{step.text}’</span>
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      <FormProblem problem={problem} />
      <AddStep add={add} isFull={steps.length >= projectLimits.checklist} />
      {steps.length > 0 && (
        <p>
          <button
            className="button button--plain checklist__edit"
            type="button"
            aria-pressed={editing}
            onClick={() => setEditing(!editing)}
          >
            Reorder or remove steps
          </button>
        </p>
      )}
    </section>
  );
}

type Change = ReturnType<typeof useChecklist>['change'];

function Row({ step: { id, text, done }, change }: { step: Step; change: Change }) {
  const { email } = useAccount();
  return (
    <>
      <input
        type="checkbox"
        id={`step-${id}`}
        checked={done !== null}
        onChange={({ target }) =>
          void change(ticking(id, target.checked ? { by: email, at: new Date().toISOString() } : null))
        }
      />
      <label
        htmlFor={`step-${id}`}
        dir="auto"
        title={done ? `${done.by}, ${formatDateTime(done.at)}` : undefined}
      >
        {text}
      </label>
    </>
  );
}

/** A full checklist has no form. But if a colleague fills the list while somebody types here, the form and its text stay. */
function AddStep({ add, isFull }: { add(text: string): void; isFull: boolean }) {
  const id = useId();
  const [text, setText] = useState('');
  function submit(event: FormEvent): void {
    event.preventDefault();
    const typed = text.trim();
    if (typed === '' || isFull) return;
    setText('');
    add(typed);
  }
  if (isFull && text === '') return null;
  return (
    <form className="checklist__add" method="post" onSubmit={submit}>
      <label className="visually-hidden" htmlFor={id}>
        New step
      </label>
      <input
        className="field__input"
        id={id}
        type="text"
        dir="auto"
        autoComplete="off"
        placeholder="Add a step"
        maxLength={300}
        value={text}
        aria-describedby={isFull ? `${id}-full` : undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <button className="button button--quiet" type="submit" aria-disabled={isFull}>
        Add<span className="visually-hidden"> step</span>
      </button>
      <p className="field__hint" id={`${id}-full`} role="status">
        {isFull &&
          `The checklist is full. Remove one of its ${projectLimits.checklist} steps to add this one.`}
      </p>
    </form>
  );
}
