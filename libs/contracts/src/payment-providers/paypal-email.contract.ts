import { z } from 'zod';
import { created, recordMeta, updated } from '../answers.js';
import { emailAddress } from '../identity.contract.js';
import { updateBody } from '../inputs.js';
import { grouped, relay, relayedIn } from '../operation.js';
import { adminsIdempotent, adminsOnly, signedInOnly } from '../policy.js';

/** The record with the e-mail address of the PayPal account that receives payments through Payments Standard. There is at most one. */
export const paypalEmail = z.object({
  _id: z.string(),
  paypalEmail: z.string(),
  ...recordMeta,
});
export type PaypalEmail = z.infer<typeof paypalEmail>;

/** PayPal takes at most 127 characters. */
const paypalEmailInput = z.strictObject({ paypalEmail: emailAddress.pipe(z.string().max(127)) });

const group = 'PayPal e-mail';
export const paypalEmailGroupDescriptions = {
  [group]: 'The PayPal account that receives payments through Payments Standard.',
};

const record = paypalEmail.meta({ id: 'PaypalEmail' });

export const paypalEmailOperations = grouped(group, {
  listPaypalEmail: relay({
    at: 'GET /paypal-email',
    pattern: 'orders.listPaypalEmail',
    summary: 'The account that receives payments, as a list of at most one',
    policy: signedInOnly,
    answer: z.array(record),
  }),
  getPaypalEmail: relay({
    at: 'GET /paypal-email/:id',
    pattern: 'orders.paypalEmail',
    summary: 'The account that receives payments',
    policy: signedInOnly,
    answer: record,
  }),
  createPaypalEmail: relay({
    at: 'POST /add-email',
    pattern: 'orders.addPaypalEmail',
    summary: 'Set the account that receives payments, if none is set',
    policy: { ...adminsIdempotent, fresh: true },
    body: paypalEmailInput.meta({ id: 'PaypalEmailCreate' }),
    answer: created(paypalEmail),
    failures: ['SINGLETON_EXISTS'],
  }),
  updatePaypalEmail: relay({
    at: 'PUT /paypal-email/:id',
    pattern: 'orders.updatePaypalEmail',
    summary: 'Change the account that receives payments; payments under way keep the previous one',
    policy: { ...adminsOnly, fresh: true },
    body: updateBody('PaypalEmailUpdate', paypalEmailInput.shape),
    versioned: true,
    answer: updated(paypalEmail),
  }),
});

export const paypalEmailContract = relayedIn(paypalEmailOperations);
