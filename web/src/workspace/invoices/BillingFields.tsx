import './invoices.css';
import { type FocusEvent, useMemo } from 'react';
import type { BillingDetails, VatIdState } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { listCountries } from '../countries.js';
import { SelectField } from '../SelectField.js';
import type { BillingField } from './billing.js';
import { VatIdField } from './VatIdField.js';

interface BillingFieldsProps {
  field(name: BillingField): {
    name: string;
    error: string | undefined;
    onBlur(event: FocusEvent<HTMLElement>): void;
    onChange(): void;
  };
  details: BillingDetails | undefined;
  /** What is known of the VAT ID in `details`. */
  vatIdState: VatIdState | null;
  onVatIdChecked?(): void;
  requiresCountry?: boolean;
}

/** All fields are optional, but the country can be required. */
export function BillingFields({
  field,
  details,
  vatIdState,
  onVatIdChecked,
  requiresCountry = false,
}: BillingFieldsProps) {
  const options = useMemo(
    () => [...(requiresCountry ? [] : [['', 'No country'] as const]), ...listCountries()],
    [requiresCountry],
  );
  return (
    <>
      <Field
        {...field('company')}
        label="Company"
        autoComplete="organization"
        maxLength={200}
        defaultValue={details?.company}
      />
      <Field
        {...field('addressLine1')}
        label="Street and number"
        autoComplete="billing address-line1"
        maxLength={200}
        defaultValue={details?.addressLine1}
      />
      <Field
        {...field('addressLine2')}
        label="Suite, floor or department"
        autoComplete="billing address-line2"
        maxLength={200}
        defaultValue={details?.addressLine2}
      />
      <div className="form__pair">
        <Field
          {...field('postalCode')}
          label="Postal code"
          autoComplete="billing postal-code"
          maxLength={20}
          defaultValue={details?.postalCode}
        />
        <Field
          {...field('city')}
          label="City"
          autoComplete="billing address-level2"
          maxLength={100}
          defaultValue={details?.city}
        />
      </div>
      <SelectField
        {...field('countryCode')}
        label="Billing country"
        autoComplete="billing country"
        options={options}
        defaultValue={details?.countryCode}
      />
      <VatIdField
        field={field('vatId')}
        initialValue={details?.vatId}
        initialState={vatIdState}
        onChecked={onVatIdChecked}
      />
    </>
  );
}
