import { useId, useState } from 'react';
import { FormProblem } from '../../components/FormProblem.js';
import { type ChangeResult, useSave } from '../../workspace/query.js';
import { SelectField } from '../../workspace/SelectField.js';
import { ReasonField } from './ReasonField.js';

interface StatusFormProps<T extends string> {
  title: string;
  label: string;
  name: string;
  /** Not always one of `choices`: an order can be Cancelled, but an admin cannot set it to that. */
  current: string;
  choices: readonly T[];
  hint?: string;
  withReason?: boolean;
  save(choice: T, reason: string): Promise<ChangeResult>;
}

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
  // A choice is dropped when the stored status changes. `stored` is the status at the time of the choice.
  const [chosen, setChosen] = useState<{ stored: string; choice: T | undefined }>();
  const choice = chosen?.stored === current ? chosen.choice : choices.find((value) => value === current);
  const options = choices.map((value) => [value, value] as const);
  const [reason, setReason] = useState('');
  const {
    save: submit,
    saving,
    problem,
  } = useSave(async () => {
    if (!choice) return { status: 400, sentence: 'Choose a status first.', fields: [] };
    const result = await save(choice, reason.trim());
    const isSaved = typeof result !== 'object';
    if (isSaved) setReason('');
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
      <SelectField
        name={name}
        label={label}
        options={choice ? options : [['', current], ...options]}
        value={choice ?? ''}
        hint={hint}
        onChange={({ target }) =>
          setChosen({ stored: current, choice: choices.find((value) => value === target.value) })
        }
      />
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
