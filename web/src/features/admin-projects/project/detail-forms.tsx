import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { projectLimits, type StaffProject } from '#libs/contracts';
import { FormProblem } from '../../../components/FormProblem.js';
import { Waiting } from '../../../components/Waiting.js';
import type { Problem } from '../../../lib/api.js';
import { useAccount } from '../../../workspace/current-screen.js';
import { Failure } from '../../../workspace/Failure.js';
import { formatDay } from '../../../workspace/formats.js';
import { useQuery } from '../../../workspace/query.js';
import { assigneesText } from '../words.js';
import { labelsFault, labelsIn } from './labels.js';
import { useProjectUpdate } from './use-project-update.js';

interface DetailFormProps {
  project: StaffProject;
  close(): void;
}

interface EditFormProps {
  name: string;
  saving: boolean;
  problem: Problem | undefined;
  /** Resolves with whether the form can be closed: the change is saved, or there is none. */
  submit(): Promise<boolean>;
  close(): void;
  children: ReactNode;
}

/** Escape closes the form without saving. */
function EditForm({ name, saving, problem, submit, close, children }: EditFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => (form.current?.querySelector<HTMLElement>('input') ?? form.current)?.focus(), []);
  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await submit()) close();
  }
  return (
    <form
      className="detail-form"
      method="post"
      ref={form}
      tabIndex={-1}
      aria-label={name}
      onSubmit={(event) => void onSubmit(event)}
      // While an input method composes a character, Escape cancels only that.
      onKeyDown={({ key, nativeEvent }: KeyboardEvent) =>
        key === 'Escape' && !nativeEvent.isComposing && close()
      }
    >
      {children}
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={saving}>
          {saving ? 'Saving' : 'Save'}
        </button>
        <button className="button button--quiet" type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}

export function TitleForm({ project, close }: DetailFormProps) {
  const { opened, update, ...state } = useProjectUpdate(project);
  const [title, setTitle] = useState(project.title);
  async function submit(): Promise<boolean> {
    const typed = title.trim();
    if (typed === opened.title) return true;
    return update({ title: typed }, () => `The title is now ‘${typed}’`);
  }
  return (
    <EditForm name="Title" {...state} submit={submit} close={close}>
      <input
        className="field__input"
        type="text"
        aria-label="Title"
        dir="auto"
        required
        pattern=".*\S.*"
        maxLength={300}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <p className="field__hint">The customer sees it, too.</p>
    </EditForm>
  );
}

export function DueDateForm({ project, close }: DetailFormProps) {
  const { opened, update, ...state } = useProjectUpdate(project);
  const [dueOn, setDueOn] = useState(project.dueOn ?? '');
  async function submit(): Promise<boolean> {
    const wanted = dueOn || null;
    if (wanted === opened.dueOn) return true;
    return update({ dueOn: wanted }, () =>
      wanted ? `The due date is now ${formatDay(wanted)}` : 'There’s no due date now',
    );
  }
  return (
    <EditForm name="Due date" {...state} submit={submit} close={close}>
      <input
        className="field__input"
        type="date"
        aria-label="Due date"
        min="2000-01-01"
        max="2999-12-31"
        value={dueOn}
        onChange={({ target }) => setDueOn(target.value)}
      />
      <p className="field__hint">The customer sees it, too. Leave the field empty for no due date.</p>
    </EditForm>
  );
}

export function AssigneesForm({ project, close }: DetailFormProps) {
  const { id: ownId } = useAccount();
  const staff = useQuery('GET /project-staff');
  const { opened, update, ...state } = useProjectUpdate(project);
  const before = opened.assignees.map(({ accountId }) => accountId);
  const [chosen, setChosen] = useState<readonly string[]>(before);
  const isFull = chosen.length >= projectLimits.assignees;
  const staffIds = staff.data?.map(({ accountId }) => accountId);
  // Assigned people who are no longer staff are listed as well, so that they can be removed.
  const people = staff.data?.concat(
    opened.assignees.filter(({ accountId }) => !staffIds?.includes(accountId)),
  );
  async function submit(): Promise<boolean> {
    const isSame = chosen.length === before.length && chosen.every((one) => before.includes(one));
    if (isSame) return true;
    return update(
      { assignees: [...chosen] },
      (saved) => `${assigneesText(saved)} ${saved.assignees.length > 1 ? 'are' : 'is'} assigned now`,
    );
  }
  return (
    <EditForm name="People" {...state} submit={submit} close={close}>
      <Failure query={staff} />
      {!staff.data && !staff.problem && <Waiting />}
      <fieldset className="people-choice">
        <legend className="visually-hidden">People who work on the project</legend>
        {people?.map(({ accountId, name, email }) => (
          <label key={accountId}>
            <input
              type="checkbox"
              checked={chosen.includes(accountId)}
              disabled={isFull && !chosen.includes(accountId)}
              onChange={({ target }) =>
                setChosen(target.checked ? [...chosen, accountId] : chosen.filter((one) => one !== accountId))
              }
            />
            <span>
              {name}
              {accountId === ownId && ' (you)'} <span className="field__hint">{email}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {isFull && (
        <p className="field__hint" role="status">
          A project can have up to {projectLimits.assignees} people. Remove one to add another.
        </p>
      )}
    </EditForm>
  );
}

export function LabelsForm({ project, close }: DetailFormProps) {
  const id = useId();
  const summary = useQuery('GET /staff-projects/summary');
  const [text, setText] = useState(project.labels.join(', '));
  const [fault, setFault] = useState<Problem>();
  const { opened, update, saving, problem } = useProjectUpdate(project);
  const known = (summary.data?.labels ?? []).filter((label) => !labelsIn(text).includes(label));
  async function submit(): Promise<boolean> {
    const labels = labelsIn(text);
    const before = opened.labels;
    setFault(undefined);
    if (labels.length === before.length && labels.every((one) => before.includes(one))) return true;
    const sentence = labelsFault(labels);
    if (sentence) {
      setFault({ status: 0, sentence, fields: [] });
      return false;
    }
    return update({ labels }, (saved) =>
      saved.labels.length > 0 ? `Labels: ${saved.labels.join(', ')}` : 'There are no labels now',
    );
  }
  return (
    <EditForm name="Labels" saving={saving} problem={fault ?? problem} submit={submit} close={close}>
      <input
        className="field__input"
        type="text"
        aria-label="Labels"
        aria-describedby={`${id}-hint`}
        dir="auto"
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="field__hint" id={`${id}-hint`}>
        Separate them with commas. Only staff see labels.
      </p>
      {known.length > 0 && (
        <ul className="labels" aria-label="Labels of other projects">
          {known.slice(0, 12).map((label) => (
            <li key={label}>
              <button
                className="label label--add"
                type="button"
                onClick={({ currentTarget }) => {
                  setText([...labelsIn(text), label].join(', '));
                  // The button disappears.
                  currentTarget.form?.querySelector('input')?.focus();
                }}
              >
                <span className="visually-hidden">Add label </span>
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </EditForm>
  );
}
