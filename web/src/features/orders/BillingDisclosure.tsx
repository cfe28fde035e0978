import { useState } from 'react';
import type { AnswerOf } from '../../lib/api.js';
import { isGiven } from '../../workspace/invoices/billing.js';
import { BillingFields } from '../../workspace/invoices/BillingFields.js';
import type { BillingDetails } from '#libs/contracts';

/** What is remembered of the customer. */
export type RememberedBilling = AnswerOf<'GET /billing-details'>;

interface BillingDisclosureProps {
  field: Parameters<typeof BillingFields>[0]['field'];
  details: BillingDetails;
  remembered: RememberedBilling;
  /** One of the fields has an error, so that it has to be seen. */
  isFaulty: boolean;
  /** Called when another VAT id has been checked. */
  vatIdChecked(): void;
}

/** What the customer may want to have on the invoice, closed if nothing of it is known. */
export function BillingDisclosure({ details, remembered, isFaulty, ...fields }: BillingDisclosureProps) {
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
          {...fields}
          details={details}
          vatIdState={details.vatId === remembered.vatId ? remembered.vatIdState : null}
        />
      </div>
    </details>
  );
}
