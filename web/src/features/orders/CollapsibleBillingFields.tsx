import { useState } from 'react';
import type { AnswerOf } from '../../lib/api.js';
import { isAnyFieldFilled } from '../../workspace/invoices/billing.js';
import { BillingFields } from '../../workspace/invoices/BillingFields.js';
import type { BillingDetails } from '#libs/contracts';

/** The account's stored details, and what is known of their VAT ID. */
export type RememberedBilling = AnswerOf<'GET /billing-details'>;

interface CollapsibleBillingFieldsProps {
  field: Parameters<typeof BillingFields>[0]['field'];
  /** What the fields show at first: a draft of the order, or else `rememberedBilling`. */
  details: BillingDetails;
  rememberedBilling: RememberedBilling;
  /** A field has an error. The fields are then expanded, but the person can collapse them again. */
  isFaulty: boolean;
  onVatIdChecked(): void;
}

/** Collapsed at first if none of the details is filled in. */
export function CollapsibleBillingFields({
  details,
  rememberedBilling,
  isFaulty,
  ...fieldProps
}: CollapsibleBillingFieldsProps) {
  const [isOpen, setOpen] = useState(() => isAnyFieldFilled(details));
  return (
    <details
      className="fold billing-fold"
      open={isOpen || isFaulty}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Company, billing address or VAT ID</summary>
      <div className="form">
        <p className="field__hint">
          Optional. These details go on your invoice, and we remember them for your next order.
        </p>
        <BillingFields
          {...fieldProps}
          details={details}
          vatIdState={details.vatId === rememberedBilling.vatId ? rememberedBilling.vatIdState : null}
        />
      </div>
    </details>
  );
}
