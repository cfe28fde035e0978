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
import { day } from '../../../workspace/formats.js';
import { useQuery } from '../../../workspace/query.js';
import { labelsFault, labelsIn } from './labels.js';
import { useProjectUpdate } from './use-project-update.js';

interface FactFormProps {
  project: StaffProject;
  close(): void;
}

interface EditFormProps {
  name: string;
  saving: boolean;
  problem: Problem | undefined;
  submit(): Promise<boolean>;
  close(): void;
  children: ReactNode;
}

/** A small form that replaces a fact while it is edited. Escape closes the form without a change. */
function EditForm({ name, saving, problem, submit, close, children }: EditFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input')?.focus(), []);
  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await submit()) close();
  }
  return (
    <form
      className="fact-form"
      method="post"
      ref={form}
      aria-label={name}
      onSubmit={(event) => void onSubmit(event)}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && close()}
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

export function TitleForm({ project, close }: FactFormProps) {
  const { update, ...state } = useProjectUpdate(project);
  const [title, setTitle] = useState(project.title);
  async function submit(): Promise<boolean> {
    const typed = title.trim();
    if (typed === '' || typed === project.title) return true;
    return update({
      body: () => ({ title: typed }),
      before: { title: project.title },
      message: `The title is now ‘${typed}’`,
      stillMakesSense: (newer) => newer.title === project.title,
    });
  }
  return (
    <EditForm name="Title" {...state} submit={submit} close={close}>
      <input
        className="field__input"
        type="text"
        aria-label="Title"
        dir="auto"
        maxLength={300}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <p className="field__hint">The customer sees it, too.</p>
    </EditForm>
  );
}

export function DueDateForm({ project, close }: FactFormProps) {
  const { update, ...state } = useProjectUpdate(project);
  const [dueOn, setDueOn] = useState(project.dueOn ?? '');
  async function submit(): Promise<boolean> {
    const wanted = dueOn || null;
    if (wanted === project.dueOn) return true;
    return update({
      body: () => ({ dueOn: wanted }),
      before: { dueOn: project.dueOn },
      message: wanted ? `The due date is now ${day(wanted)}` : 'There’s no due date now',
      stillMakesSense: (newer) => newer.dueOn === project.dueOn,
    });
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
      <p className="field__hint">The customer sees it, too. Leave it empty for none.</p>
    </EditForm>
  );
}

export function PeopleForm({ project, close }: FactFormProps) {
  const { id: ownId } = useAccount();
  const staff = useQuery('GET /project-staff');
  const before = project.assignees.map(({ accountId }) => accountId);
  const [chosen, setChosen] = useState<readonly string[]>(before);
  const { update, ...state } = useProjectUpdate(project);
  const isFull = chosen.length >= projectLimits.assignees;
  async function submit(): Promise<boolean> {
    const added = chosen.filter((one) => !before.includes(one));
    const removed = before.filter((one) => !chosen.includes(one));
    if (added.length + removed.length === 0) return true;
    return update({
      // Applied to the project as it is stored when this is sent, so that people whom others have assigned meanwhile stay.
      body: ({ assignees }) => ({
        assignees: [
          ...new Set([
            ...assignees.map(({ accountId }) => accountId).filter((one) => !removed.includes(one)),
            ...added,
          ]),
        ],
      }),
      before: { assignees: before },
      message: `${chosen.length === 0 ? 'Nobody is' : `${namesOf(chosen)} ${chosen.length === 1 ? 'is' : 'are'}`} assigned now`,
    });
  }
  function namesOf(ids: readonly string[]): string {
    const known = [...(staff.data ?? []), ...project.assignees];
    return ids.map((one) => known.find(({ accountId }) => accountId === one)?.name ?? 'Someone').join(', ');
  }
  return (
    <EditForm name="People" {...state} submit={submit} close={close}>
      {staff.problem && <Failure problem={staff.problem} retry={staff.retry} />}
      {!staff.data && !staff.problem && <Waiting />}
      <fieldset className="people-choice">
        <legend className="visually-hidden">People who work on the project</legend>
        {staff.data?.map(({ accountId, name, email }) => (
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

export function LabelsForm({ project, close }: FactFormProps) {
  const id = useId();
  const summary = useQuery('GET /staff-projects/summary');
  const [text, setText] = useState(project.labels.join(', '));
  const [fault, setFault] = useState<Problem>();
  const { update, saving, problem } = useProjectUpdate(project);
  const known = (summary.data?.labels ?? []).filter((label) => !labelsIn(text).includes(label));
  async function submit(): Promise<boolean> {
    const labels = labelsIn(text);
    const added = labels.filter((one) => !project.labels.includes(one));
    const removed = project.labels.filter((one) => !labels.includes(one));
    setFault(undefined);
    if (added.length + removed.length === 0) return true;
    const sentence = labelsFault(labels);
    if (sentence) {
      setFault({ status: 0, sentence, fields: [] });
      return false;
    }
    return update({
      body: (newer) => ({
        labels: [...new Set([...newer.labels.filter((one) => !removed.includes(one)), ...added])],
      }),
      before: { labels: project.labels },
      message: labels.length > 0 ? `Labels: ${labels.join(', ')}` : 'There are no labels now',
    });
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
                onClick={() => setText([...labelsIn(text), label].join(', '))}
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
