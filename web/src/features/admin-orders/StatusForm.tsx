import { useId, useState } from 'react';
import { FormProblem } from '../../components/FormProblem.js';
import { type ChangeResult, useSave } from '../../workspace/query.js';
import { ReasonField } from './ReasonField.js';

interface StatusFormProps<T extends string> {
  title: string;
  label: string;
  name: string;
  /** May be outside of `choices`: an admin cannot set an order to Cancelled. */
  current: string;
  choices: readonly T[];
  hint?: string;
  /** Whether the form asks why the status is changed. */
  withReason?: boolean;
  save(choice: T, reason: string): Promise<ChangeResult>;
}

/** A form that sets one status. */
export function StatusForm<T extends string>({
  title,
  label,
  name,
  current,
  choices,
  hint,
  withReason,
  save,
}: StatusFormProps<T>) {
  const titleId = useId();
  // The choice is dropped when the stored status changes.
  const [chosen, setChosen] = useState<{ replaces: string; choice: T | undefined }>();
  const choice = choices.find((value) => value === (chosen?.replaces === current ? chosen.choice : current));
  const [reason, setReason] = useState('');
  const {
    save: submit,
    saving,
    problem,
  } = useSave(async () => {
    if (!choice) return { status: 400, sentence: 'Choose a status first.', fields: [] };
    const result = await save(choice, reason.trim());
    if (typeof result !== 'object') setReason('');
    return result;
  });
  return (
    <form
      className="form status-form"
      method="post"
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      <div className="field">
        <label htmlFor={name}>{label}</label>
        <select
          className="field__input"
          id={name}
          name={name}
          value={choice ?? ''}
          aria-describedby={hint && `${name}-hint`}
          onChange={({ target }) =>
            setChosen({ replaces: current, choice: choices.find((value) => value === target.value) })
          }
        >
          {!choice && (
            <option value="" disabled>
              {current}
            </option>
          )}
          {choices.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
        {hint && (
          <p className="status-form__hint" id={`${name}-hint`}>
            {hint}
          </p>
        )}
      </div>
      {withReason && <ReasonField name={`${name}-reason`} reason={reason} change={setReason} />}
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={saving}>
          {saving ? 'One moment' : title}
        </button>
      </p>
    </form>
  );
}
