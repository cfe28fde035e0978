import './admin-invoices.css';
import { useMemo, useState } from 'react';
import type { StoredInvoiceSettings } from '#libs/contracts';
import { CheckboxField, Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { listCountries } from '../../workspace/countries.js';
import { formatDate } from '../../workspace/formats.js';
import { LeaveDialog } from '../../workspace/LeaveDialog.js';
import { useLeaveGuard } from '../../workspace/leave-guard.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery } from '../../workspace/query.js';
import { SelectField } from '../../workspace/SelectField.js';
import { InvoicePreview } from './InvoicePreview.js';
import { type SettingsForm, useSettingsForm } from './settings-form.js';
import { TaxSettings } from './TaxSettings.js';

export function InvoiceSettings() {
  const settings = useQuery('GET /invoice-settings');
  return <Loaded query={settings}>{(stored) => <InvoiceSettingsForm stored={stored} />}</Loaded>;
}

function InvoiceSettingsForm({ stored }: { stored: StoredInvoiceSettings }) {
  const form = useSettingsForm(stored);
  const leaving = useLeaveGuard(form.unsaved);
  const { issuesFrom } = stored;
  return (
    <div className="invoice-settings">
      <form className="form" method="post" aria-label="Invoice settings" {...form.form}>
        <Seller form={form} />
        <Numbers form={form} />
        <TaxSettings form={form} stored={stored} />
        <MailAndPaper form={form} />
        <div className="invoice-settings__save">
          <p className="field__hint">
            {issuesFrom
              ? `Payments since ${formatDate(issuesFrom)} get an invoice. Changes apply to the next one.`
              : 'From the moment you save, every payment gets an invoice. Earlier payments get none.'}
          </p>
          <FormProblem problem={form.problem} />
          <p className="buttons">
            <button className="button" type="submit" aria-disabled={form.saving}>
              {saveText(form.saving, issuesFrom)}
            </button>
          </p>
        </div>
      </form>
      <InvoicePreview settings={form.newSettings} />
      <LeaveDialog leaving={leaving} keepsDraft={false} />
    </div>
  );
}

function saveText(saving: boolean, issuesFrom: string | null): string {
  if (saving) return 'Saving';
  return issuesFrom ? 'Save settings' : 'Save and issue invoices';
}

function Seller({ form: { field } }: { form: SettingsForm }) {
  const options = useMemo(() => [['', 'Choose a country'] as const, ...listCountries()], []);
  return (
    <section className="panel" aria-labelledby="invoice-seller">
      <h2 id="invoice-seller">Seller</h2>
      <p>
        Your name, street, city and country are required. Give your tax number, VAT ID or company registration
        too, if you have one.
      </p>
      <Field {...field('name')} hint="As officially registered, or as on your tax returns." maxLength={200} />
      <Field {...field('addressLine1')} maxLength={200} />
      <Field {...field('addressLine2')} maxLength={200} />
      <div className="form__pair">
        <Field {...field('postalCode')} maxLength={20} />
        <Field {...field('city')} maxLength={100} />
      </div>
      <SelectField {...field('countryCode')} options={options} />
      <Field {...field('email')} type="email" maxLength={254} />
      <div className="form__pair">
        <Field {...field('taxNumber')} dir="ltr" maxLength={50} />
        <Field {...field('vatId')} hint="With its country code, like DE123456789." dir="ltr" maxLength={20} />
      </div>
      <Field
        {...field('register')}
        hint="The register and your number in it, for example Companies House 01234567, or HRB 12345, Amtsgericht Berlin."
        maxLength={200}
      />
      <Field
        {...field('bankAccount')}
        hint="Shown at the foot of each invoice. For example, an IBAN."
        maxLength={200}
      />
    </section>
  );
}

function Numbers({ form: { field, values } }: { form: SettingsForm }) {
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  const [year] = useState(() => new Date().getFullYear());
  const numberHint = (prefix: string) => (
    <>
      Numbers look like <span className="unbroken">{`${prefix}${year}-00001`}</span>.
    </>
  );
  return (
    <section className="panel" aria-labelledby="invoice-numbers">
      <h2 id="invoice-numbers">Numbers</h2>
      <p>Each year, invoices and credit notes are numbered from 1 again, without gaps.</p>
      <div className="form__pair">
        <Field {...field('invoicePrefix')} hint={numberHint(values.invoicePrefix)} dir="ltr" maxLength={10} />
        <Field
          {...field('creditNotePrefix')}
          hint={numberHint(values.creditNotePrefix)}
          dir="ltr"
          maxLength={10}
        />
      </div>
      <Field
        {...field('timeZone')}
        hint="Sets the dates on invoices, and when a new year’s numbers begin."
        list="time-zones"
        autoComplete="off"
        dir="ltr"
      />
      <datalist id="time-zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </section>
  );
}

function MailAndPaper({ form: { values, change } }: { form: SettingsForm }) {
  return (
    <section className="panel" aria-labelledby="invoice-mail-and-paper">
      <h2 id="invoice-mail-and-paper">E-mail and paper size</h2>
      <CheckboxField
        name="attachToMail"
        label="Attach the PDF to payment confirmations, in addition to the link"
        checked={values.attachToMail}
        onChange={({ target }) => change('attachToMail', target.checked)}
      />
      <SelectField
        name="paper"
        label="Paper size"
        options={[
          ['A4', 'A4'],
          ['Letter', 'Letter'],
        ]}
        value={values.paper}
        onChange={({ target }) => change('paper', target.value === 'Letter' ? 'Letter' : 'A4')}
      />
    </section>
  );
}
