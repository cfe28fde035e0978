import { useState } from 'react';
import type { AnswerOf } from '../../lib/api.js';
import { isGiven } from '../../workspace/invoices/billing.js';
import { BillingFields } from '../../workspace/invoices/BillingFields.js';
import type { BillingDetails } from '#libs/contracts';

/** Remembered for the account. */
export type RememberedBilling = AnswerOf<'GET /billing-details'>;

interface BillingDisclosureProps {
  field: Parameters<typeof BillingFields>[0]['field'];
  details: BillingDetails;
  remembered: RememberedBilling;
  /** A field has an error, so the fields are shown. */
  isFaulty: boolean;
  onVatIdChecked(): void;
}

/** Collapsed at first if none of the details is filled in. */
export function BillingDisclosure({ details, remembered, isFaulty, ...fieldProps }: BillingDisclosureProps) {
  const [isOpen, setOpen] = useState(() => isGiven(details));
  return (
    <details
      className="fold billing-disclosure"
      open={isOpen || isFaulty}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Company, billing address or VAT ID</summary>
      <div className="form">
        <p className="field__hint">
          Optional. It goes on your invoice, and we remember it for your next order.
        </p>
        <BillingFields
          {...fieldProps}
          details={details}
          vatIdState={details.vatId === remembered.vatId ? remembered.vatIdState : null}
        />
      </div>
    </details>
  );
}
