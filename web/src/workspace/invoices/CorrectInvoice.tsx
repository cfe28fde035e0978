import './invoices.css';
import { useRef, useState } from 'react';
import type { Invoice } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { newIdempotencyKey, useForm } from '../../lib/form.js';
import { money } from '../../lib/money.js';
import { showToast } from '../../lib/toasts.js';
import { CloseButton, Dialog } from '../Dialog.js';
import { closeAfterChange } from '../focus-content.js';
import { useRefetch } from '../query.js';
import { billingChecks, billingFrom } from './billing.js';
import { BillingFields } from './BillingFields.js';

/** Renders nothing for credit notes and fully credited invoices. */
export function CorrectInvoice({ invoice }: { invoice: Invoice }) {
  const [isOpen, setOpen] = useState(false);
  if (invoice.kind !== 'invoice' || Number(invoice.open) === 0) return null;
  return (
    <>
      <button className="button button--plain" type="button" onClick={() => setOpen(true)}>
        Change details<span className="visually-hidden"> of {invoice.number}</span>
      </button>
      {isOpen && <CorrectDialog invoice={invoice} close={() => setOpen(false)} />}
    </>
  );
}

function CorrectDialog({ invoice, close }: { invoice: Invoice; close(): void }) {
  const { number, buyer, open, vatIdState } = invoice;
  const dialog = useRef<HTMLDialogElement>(null);
  const refetch = useRefetch();
  // One key for each dialog, so that an attempt repeated with other values does not issue a second correction.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const { form, field, problem, sending } = useForm({
    checks: {
      name: (value: string) => (value.trim() ? undefined : 'Enter a name'),
      ...billingChecks,
    },
    async send({ name, ...details }) {
      const answer = await callApi('POST /invoice/:id/correction', {
        params: { id: invoice._id },
        body: { name: name.trim(), ...billingFrom((key) => details[key]) },
        idempotencyKey,
      });
      if (!answer.ok && answer.problem.code === 'IDEMPOTENCY_KEY_REUSED')
        await closeAfter(
          'Your first attempt has already issued both documents, with its own details. If they’re wrong, change the new invoice.',
          'problem',
        );
      return answer;
    },
    onSent: ({ creditNote, invoice: issued }) =>
      closeAfter(`${creditNote.number} and ${issued.number} issued`),
  });
  async function closeAfter(sentence: string, kind?: 'problem'): Promise<void> {
    // The invoice is now credited in full, so the dialog and the button that opened it disappear.
    const element = dialog.current;
    await refetch();
    showToast(sentence, kind);
    closeAfterChange(element);
  }
  return (
    <Dialog ref={dialog} title={`Change details of ${number}`} sending={sending} close={close}>
      <p>
        An issued invoice can’t be edited. A credit note for {money(open)} cancels it, and a new invoice of
        the same amount is issued with these details. The customer sees all three.
      </p>
      <form className="form" method="post" {...form}>
        <Field {...field('name')} label="Name" maxLength={300} defaultValue={buyer.name} required />
        <BillingFields
          field={field}
          details={buyer}
          vatIdState={vatIdState}
          // The site keeps the country of the invoice if it is left out.
          requiresCountry={Boolean(buyer.countryCode)}
        />
        <FormProblem problem={problem} />
        <p className="buttons">
          <CloseButton sending={sending}>Cancel</CloseButton>
          <button className="button" type="submit" aria-disabled={sending}>
            {sending ? 'One moment' : 'Issue both'}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
