import { type FormEvent, useState } from 'react';
import { type InvoiceSettings, type StoredInvoiceSettings, toSingleLine } from '#libs/contracts';
import { callApi, type Problem } from '../../lib/api.js';
import { useFieldErrors } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { vatIdFrom } from '../../workspace/invoices/billing.js';
import { useSave } from '../../workspace/query.js';
import { settingLabels, type TextSetting } from './words.js';

const settingNames = Object.keys(settingLabels) as TextSetting[];
const requiredSettings: ReadonlySet<TextSetting> = new Set(['name', 'addressLine1', 'city', 'countryCode']);

function errorOf(name: TextSetting, value: string): string | undefined {
  return requiredSettings.has(name) && value.trim() === '' ? `${settingLabels[name]} is required` : undefined;
}

/** Before the first save, the time zone is the browser's. */
function settingsOf({
  issuesFrom,
  standardRate,
  version,
  ...settings
}: StoredInvoiceSettings): InvoiceSettings {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return version === 0 ? { ...settings, timeZone } : settings;
}

/**
 * The values to send, without what was typed into rate and currency fields that are now hidden. If the server refused that text, nobody could
 * correct it.
 */
function settingsToSend(values: InvoiceSettings, saved: InvoiceSettings): InvoiceSettings {
  const texts = Object.fromEntries(settingNames.map((name) => [name, toSingleLine(values[name])]));
  const toSend: InvoiceSettings = { ...values, ...texts, vatId: vatIdFrom(values.vatId) };
  if (toSend.taxMode === 'none') {
    const { domesticRate, aboveThreshold, accountingCurrency, exchangeRate } = saved;
    return { ...toSend, domesticRate, aboveThreshold, accountingCurrency, exchangeRate };
  }
  return toSend.accountingCurrency === '' ? { ...toSend, exchangeRate: '' } : toSend;
}

function changesIn(current: StoredInvoiceSettings, saved: InvoiceSettings): Partial<InvoiceSettings> {
  const changed = Object.entries(settingsOf(current)).filter(
    ([name, value]) => value !== saved[name as keyof InvoiceSettings],
  );
  return Object.fromEntries(changed);
}

const changedSentence =
  'Someone else changed these settings in the meantime, so nothing of yours was saved. Where you both changed a setting, the form now shows their value; your other changes are still there. Check the settings and save again.';

export function useSettingsForm(stored: StoredInvoiceSettings) {
  // What the values are based on. `stored` may be newer.
  const [{ saved, version }, setBase] = useState(() => ({
    saved: settingsOf(stored),
    version: stored.version,
  }));
  const [values, setValues] = useState(saved);
  const newSettings = settingsToSend(values, saved);
  const fieldErrors = useFieldErrors(settingNames, errorOf);

  /** Shows what somebody else has saved meanwhile, so that the next attempt does not overwrite it unseen. */
  function mergeTheirChanges(problem: Problem<StoredInvoiceSettings>): Problem {
    const { status, current } = problem;
    if (status !== 412 || !current) return problem;
    const theirs = changesIn(current, saved);
    setBase({ saved: { ...saved, ...theirs }, version: current.version });
    setValues((now) => ({ ...now, ...theirs }));
    return { ...problem, sentence: changedSentence };
  }

  const { save, saving } = useSave(async () => {
    const answer = await callApi('PUT /invoice-settings', { body: newSettings, ifVersion: version });
    if (!answer.ok) {
      const problem = mergeTheirChanges(answer.problem);
      fieldErrors.showRefusal(problem, withLabel);
      return problem;
    }
    setBase({ saved: newSettings, version: answer.value.version });
    // Keeps what was typed meanwhile.
    setValues((now) => (now === values ? newSettings : now));
    return () => showToast(version === 0 ? 'Invoices are switched on' : 'Invoice settings saved');
  });

  return {
    values,
    newSettings,
    unsaved: JSON.stringify(values) !== JSON.stringify(saved),
    problem: fieldErrors.problem,
    saving,
    change<Name extends keyof InvoiceSettings>(name: Name, value: InvoiceSettings[Name]): void {
      setValues((now) => ({ ...now, [name]: value }));
    },
    field: (name: TextSetting) => ({
      name,
      label: settingLabels[name],
      value: values[name],
      error: fieldErrors.errors[name],
      required: requiredSettings.has(name),
      // No check when the focus moves to a button, as in `useForm`.
      onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) =>
        relatedTarget instanceof HTMLButtonElement || fieldErrors.check(name, values[name]),
      onChange: ({ target: { value } }: { target: { value: string } }) => {
        setValues((now) => ({ ...now, [name]: value }));
        fieldErrors.checkAgain(name, value);
      },
    }),
    form: {
      ref: fieldErrors.form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        if (fieldErrors.validate(values)) void save();
      },
    },
  };
}

export type SettingsForm = ReturnType<typeof useSettingsForm>;

/** A message from the server is either a whole sentence or continues the field's label. */
function withLabel(name: string, message: string): string {
  const label = (settingLabels as Record<string, string>)[name] ?? name;
  return /^\p{Lu}/u.test(message) ? message : `${label} ${message}`;
}
