import { type FormEvent, useState } from 'react';
import type { InvoiceSettings, StoredInvoiceSettings } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { useFieldErrors } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { vatIdFrom } from '../../workspace/invoices/billing.js';
import { useSave } from '../../workspace/query.js';
import { settingLabels, type TextSetting } from './words.js';

const names = Object.keys(settingLabels) as TextSetting[];
const required: ReadonlySet<TextSetting> = new Set(['name', 'addressLine1', 'city', 'countryCode']);

function errorOf(name: TextSetting, value: string): string | undefined {
  return required.has(name) && value.trim() === '' ? `${settingLabels[name]} is required` : undefined;
}

/** The settings that the form can change. The first setup begins with the time zone of the browser. */
function settingsOf({
  issuesFrom,
  standardRate,
  version,
  ...settings
}: StoredInvoiceSettings): InvoiceSettings {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return version === 0 ? { ...settings, timeZone } : settings;
}

/** The values as they are sent: without surrounding blanks, and the VAT ID as `vatIdFrom` normalizes it. */
function trimmed(values: InvoiceSettings): InvoiceSettings {
  const texts = Object.fromEntries(names.map((name) => [name, values[name].trim()]));
  return { ...values, ...texts, vatId: vatIdFrom(values.vatId) };
}

export function useSettingsForm(stored: StoredInvoiceSettings) {
  const [saved, setSaved] = useState(() => settingsOf(stored));
  const [values, setValues] = useState(saved);
  const fieldErrors = useFieldErrors(names, errorOf);
  const { save, saving } = useSave(async () => {
    const body = trimmed(values);
    const answer = await callApi('PUT /invoice-settings', { body, ifVersion: stored.version });
    if (!answer.ok) {
      fieldErrors.showRefusal(answer.problem, withLabel);
      return answer.problem;
    }
    setSaved(body);
    // What was typed meanwhile stays.
    setValues((now) => (now === values ? body : now));
    return () => showToast(stored.version === 0 ? 'Invoices are switched on' : 'Invoice settings saved');
  });

  return {
    values,
    unsaved: JSON.stringify(values) !== JSON.stringify(saved),
    problem: fieldErrors.problem,
    saving,
    change<Name extends keyof InvoiceSettings>(name: Name, value: InvoiceSettings[Name]): void {
      setValues((now) => ({ ...now, [name]: value }));
    },
    /** The props of a text field. */
    field: (name: TextSetting) => ({
      name,
      label: settingLabels[name],
      value: values[name],
      error: fieldErrors.errors[name],
      required: required.has(name),
      onBlur: () => fieldErrors.check(name, values[name]),
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
