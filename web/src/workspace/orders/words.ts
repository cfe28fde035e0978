import type { Order, OrderFlag, OrderStatus, PaymentState } from '#libs/contracts';
import type { Tone } from '../Status.js';

/** A state said in words, with a sentence where one word leaves a question open. */
export interface Word {
  tone: Tone;
  text: string;
  note?: string;
}

type Said = Pick<Order, 'paymentStatus' | 'paymentState'>;

/** What PayPal's side adds to the documented status; nothing where the status says it all. */
const states: Record<PaymentState, Omit<Word, 'text'> & { text?: string }> = {
  unpaid: { tone: 'quiet' },
  pending: {
    tone: 'waiting',
    text: 'Payment pending',
    note: 'PayPal has it and will say when it has cleared.',
  },
  failed: { tone: 'fault', text: 'Payment failed', note: 'No money was taken.' },
  paid: { tone: 'good' },
  partially_refunded: { tone: 'good', note: 'A part was refunded.' },
  refunded: { tone: 'quiet', text: 'Refunded', note: 'The full amount went back.' },
  disputed: { tone: 'fault', text: 'Disputed', note: 'The payment was reversed at PayPal.' },
  cancelled: { tone: 'quiet' },
};

/** For the customer, in the documented words where the three documented statuses suffice. */
export function customersWord({ paymentStatus, paymentState }: Said): Word {
  const state = states[paymentState];
  switch (paymentStatus) {
    case 'Paid':
      return { tone: 'good', text: 'You Have Paid', ...(paymentState === 'partially_refunded' && state) };
    case 'Cancelled':
      return { text: 'You Have Cancelled', ...state };
    case 'UnPaid':
      return { text: 'Not paid yet', ...state };
  }
}

/** For the admin: the status as it is on the wire, and what PayPal says where that is more. */
export function adminsWord({ paymentStatus, paymentState }: Said): Word {
  const { tone, text, note } = states[paymentState];
  const more = paymentState === 'partially_refunded' ? 'Partly refunded' : text;
  return {
    tone: paymentStatus === 'Paid' ? 'good' : tone,
    text: paymentStatus,
    note: more ?? note,
  };
}

export function orderStatusWord(status: OrderStatus): Word {
  return { tone: status === 'Delivered' ? 'good' : 'waiting', text: status };
}

/** Why an admin should look, and what to do about it. */
export const flagSentences: Record<OrderFlag, string> = {
  notice_held:
    'PayPal sent a notice for this order that did not pass a check. It changed nothing; see the timeline.',
  paid_after_cancel: 'Paid after the customer had cancelled. Deliver it, or refund it at PayPal.',
  paid_twice: 'Paid twice. Refund one of the two payments at PayPal.',
  override_disagrees: 'PayPal and the payment status that an admin set say different things.',
  refunded: 'The payment was refunded.',
  disputed: 'The customer or the bank disputes the payment. Answer at PayPal.',
  unverified: 'PayPal could not be asked for hours whether a notice of this order is genuine.',
};
