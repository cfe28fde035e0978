import type { Invoice, InvoiceKind, VatIdState } from '#libs/contracts';
import { money } from '../../lib/money.js';
import type { StatusText } from '../orders/words.js';

export const invoiceKinds: Record<InvoiceKind, string> = { invoice: 'Invoice', credit_note: 'Credit note' };

/** Of a credit note: the document that it refers to. Of an invoice: which one it replaces, and how much of the invoice was credited. */
export function noteOf({ kind, cites, open, gross }: Invoice): string | undefined {
  if (kind === 'credit_note') return cites ? `For ${cites.number}` : undefined;
  const notes = [cites && `Replaces ${cites.number}`, creditedText(open, gross)];
  return notes.filter(Boolean).join('. ') || undefined;
}

/** Undefined if no credit note took anything back. */
function creditedText(open: string, gross: string): string | undefined {
  if (open === gross) return undefined;
  if (Number(open) === 0) return 'Credited in full';
  return `${money((Number(gross) - Number(open)).toFixed(2))} credited`;
}

/** Negative for a credit note, but never '-$0.00'. */
export function signedAmount(amount: string, { kind }: Pick<Invoice, 'kind'>): string {
  return money(kind === 'credit_note' && Number(amount) !== 0 ? `-${amount}` : amount);
}

/** The rate, or why there is no tax. The codes are explained in `invoice.contract.ts`. */
export function taxText({ taxCategory, taxRate }: Pick<Invoice, 'taxCategory' | 'taxRate'>): string {
  switch (taxCategory) {
    case 'S':
    case 'Z':
      return `${taxRate}%`;
    case 'E':
      return 'Exempt';
    case 'AE':
      return 'Reverse charge';
    case 'O':
      return 'Not taxable here';
  }
}

export const vatIdStates: Record<VatIdState, StatusText> = {
  valid: { tone: 'good', text: 'Valid', note: 'The EU’s register confirms this VAT ID.' },
  invalid: {
    tone: 'fault',
    text: 'Not valid',
    note: 'The EU’s register doesn’t know this VAT ID, so it doesn’t change the tax.',
  },
  unknown: {
    tone: 'waiting',
    text: 'Not confirmed yet',
    note: 'The EU’s register hasn’t answered yet. You can continue anyway.',
  },
  malformed: {
    tone: 'fault',
    text: 'Not a VAT ID',
    note: 'Enter it with its country code, like DE123456789.',
  },
};

export const vatIdNotChecked: StatusText = {
  tone: 'waiting',
  text: 'Not checked',
  note: 'We couldn’t check this VAT ID. You can continue anyway.',
};
