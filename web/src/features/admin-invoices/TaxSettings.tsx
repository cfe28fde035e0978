import '../../workspace/choices.css';
import type { StoredInvoiceSettings, TaxMode } from '#libs/contracts';
import { CheckboxField, Field, TextAreaField } from '../../components/Field.js';
import type { SettingsForm } from './settings-form.js';
import { taxModes } from './words.js';

interface TaxSettingsProps {
  form: SettingsForm;
  stored: StoredInvoiceSettings;
}

export function TaxSettings({ form, stored }: TaxSettingsProps) {
  const { taxMode } = form.values;
  return (
    <section className="panel" aria-labelledby="invoice-tax">
      <h2 id="invoice-tax">Tax</h2>
      <fieldset className="choices">
        <legend>Prices and tax</legend>
        {(Object.keys(taxModes) as TaxMode[]).map((mode) => (
          <div className="choices__option" key={mode}>
            <input
              type="radio"
              name="taxMode"
              id={`taxMode-${mode}`}
              value={mode}
              checked={mode === taxMode}
              aria-describedby={`taxMode-${mode}-hint`}
              onChange={() => form.change('taxMode', mode)}
            />
            <label htmlFor={`taxMode-${mode}`}>{taxModes[mode].label}</label>
            <p className="field__hint" id={`taxMode-${mode}-hint`}>
              {taxModes[mode].hint}
            </p>
          </div>
        ))}
      </fieldset>
      {taxMode === 'none' ? <Exemption form={form} /> : <Rates form={form} stored={stored} />}
    </section>
  );
}

function Exemption({ form: { field } }: { form: SettingsForm }) {
  return (
    <TextAreaField
      {...field('exemptionReason')}
      hint="Shown on invoices, as the law requires. For example: Exempt as a small business under section 19 UStG."
      rows={2}
      maxLength={500}
    />
  );
}

function Rates({ form: { field, values, change }, stored }: TaxSettingsProps) {
  const isStandardRateKnown = stored.standardRate !== null && stored.countryCode === values.countryCode;
  return (
    <>
      <Field
        {...field('domesticRate')}
        hint={
          isStandardRateKnown
            ? `Leave it empty for the standard rate of your country, ${stored.standardRate}%.`
            : 'In the EU, leave it empty for the standard rate of your country.'
        }
        inputMode="decimal"
        dir="ltr"
        maxLength={5}
      />
      <CheckboxField
        name="aboveThreshold"
        label="Our sales to consumers in other EU countries exceed 10,000 EUR a year, so those countries’ rates apply (OSS)"
        checked={values.aboveThreshold}
        onChange={({ target }) => change('aboveThreshold', target.checked)}
      />
      <div className="form__pair">
        <Field
          {...field('accountingCurrency')}
          hint="Only if it isn’t the US dollar, for example EUR. Invoices then show the tax in this currency, too."
          dir="ltr"
          maxLength={3}
        />
        {values.accountingCurrency !== '' && (
          <Field
            {...field('exchangeRate')}
            hint={`What one dollar is worth in ${values.accountingCurrency}, like 0.9215.`}
            inputMode="decimal"
            dir="ltr"
          />
        )}
      </div>
    </>
  );
}
