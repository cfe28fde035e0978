import './admin-projects.css';
import { type FormEvent, useState } from 'react';
import { type AnswerOf, callApi } from '../../lib/api.js';
import { CheckboxField, Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { useFieldErrors } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { counted } from '../../workspace/formats.js';
import { LeaveDialog } from '../../workspace/LeaveDialog.js';
import { useLeaveGuard } from '../../workspace/leave-guard.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery, useSave } from '../../workspace/query.js';
import { daysFault } from './days-fault.js';

type Stored = Pick<AnswerOf<'GET /project-settings'>, 'remindBriefAfterDays' | 'remindAfterDays' | 'version'>;
type ReminderName = 'remindBriefAfterDays' | 'remindAfterDays';
/** Days until each reminder, as typed; null for none. */
type Values = Record<ReminderName, string | null>;

const textOf = (days: number | null) => (days === null ? null : String(days));
const valuesOf = ({ remindBriefAfterDays, remindAfterDays }: Stored): Values => ({
  remindBriefAfterDays: textOf(remindBriefAfterDays),
  remindAfterDays: textOf(remindAfterDays),
});
const daysOf = (value: string | null): number | null => (value === null ? null : Number(value));

const reminders: readonly {
  name: ReminderName;
  title: string;
  label: string;
  hint: string;
  suggested: string;
}[] = [
  {
    name: 'remindBriefAfterDays',
    title: 'Brief not answered',
    label: 'Remind customers who haven’t completed the brief',
    hint: 'Days after the payment, or after the project was resumed or reopened.',
    suggested: '3',
  },
  {
    name: 'remindAfterDays',
    title: 'Work not reviewed',
    label: 'Remind customers who haven’t accepted the work or asked for changes',
    hint: 'Days after the work was handed over, or after the project was resumed.',
    suggested: '5',
  },
];
const names = reminders.map(({ name }) => name);

export function ProjectSettings() {
  const settings = useQuery('GET /project-settings');
  return <Loaded query={settings}>{(stored) => <ReminderForm stored={stored} />}</Loaded>;
}

function ReminderForm({ stored }: { stored: Stored }) {
  const form = useReminderForm(stored);
  const leaving = useLeaveGuard(form.unsaved);
  return (
    <form
      className="form project-settings"
      method="post"
      aria-label="Reminders to customers"
      {...form.formProps}
    >
      <p className="project-settings__lead">
        Each time a project waits for the customer, we send one reminder by e-mail. If the customer doesn’t
        respond, the project keeps waiting: only the customer can accept work or complete a brief.
      </p>
      {reminders.map((reminder) => (
        <ReminderFields key={reminder.name} reminder={reminder} form={form} />
      ))}
      <FormProblem problem={form.problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={form.saving}>
          {form.saving ? 'Saving' : 'Save reminders'}
        </button>
      </p>
      <LeaveDialog leaving={leaving} keepsDraft={false} />
    </form>
  );
}

interface ReminderFieldsProps {
  reminder: (typeof reminders)[number];
  form: ReturnType<typeof useReminderForm>;
}

function ReminderFields({ reminder: { name, title, label, hint, suggested }, form }: ReminderFieldsProps) {
  const days = form.values[name];
  return (
    <section className="panel" aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{title}</h2>
      <CheckboxField
        name={`${name}-wanted`}
        label={label}
        checked={days !== null}
        onChange={({ target }) => form.change(name, target.checked ? suggested : null)}
      />
      {days !== null && (
        <Field
          name={name}
          label="After how many days"
          hint={hint}
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          maxLength={2}
          value={days}
          error={form.errors[name]}
          onChange={({ target }) => form.change(name, target.value)}
          // No check when the focus moves to a button: a message that appears would move the button away from under the pointer.
          onBlur={({ relatedTarget }) => relatedTarget instanceof HTMLButtonElement || form.check(name, days)}
        />
      )}
    </section>
  );
}

function useReminderForm(stored: Stored) {
  const [values, setValues] = useState(() => valuesOf(stored));
  const fieldErrors = useFieldErrors(names, (name, value) =>
    values[name] === null ? undefined : (daysFault(value, 90) ?? (value ? undefined : 'Enter a number')),
  );
  const { save, saving } = useSave(async () => {
    const body = {
      remindBriefAfterDays: daysOf(values.remindBriefAfterDays),
      remindAfterDays: daysOf(values.remindAfterDays),
    };
    const answer = await callApi('PUT /project-settings', { body, ifVersion: stored.version });
    if (answer.ok) return () => showToast('Reminders saved');
    const { status, current } = answer.problem;
    const problem =
      status === 412 && current ? { ...answer.problem, sentence: changedSentence(current) } : answer.problem;
    fieldErrors.showRefusal(problem);
    return problem;
  });
  return {
    values,
    saving,
    errors: fieldErrors.errors,
    problem: fieldErrors.problem,
    check: fieldErrors.check,
    unsaved: names.some((name) => daysOf(values[name]) !== stored[name]),
    change(name: ReminderName, value: string | null): void {
      setValues((now) => ({ ...now, [name]: value }));
      fieldErrors.checkAgain(name, value ?? '');
    },
    formProps: {
      ref: fieldErrors.form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        const texts = Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
        if (fieldErrors.validate(texts as Record<ReminderName, string>)) void save();
      },
    },
  };
}

function changedSentence({ remindBriefAfterDays, remindAfterDays }: Stored): string {
  const words = (days: number | null) => (days === null ? 'off' : `set to ${counted(days, 'day')}`);
  return `Someone else changed this in the meantime: the reminder about the brief is now ${words(remindBriefAfterDays)}, and the one about reviewing is now ${words(remindAfterDays)}. Your change wasn’t saved. Save again if you still want it.`;
}
