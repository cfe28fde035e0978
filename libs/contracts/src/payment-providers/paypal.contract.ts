import { z } from 'zod';
import { command, query } from '../contract.js';
import { emailAddress } from '../identity.contract.js';

/** Where customers' money goes. A singleton. */
export const paypalEmail = z.object({
  _id: z.string(),
  paypalEmail: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type PaypalEmail = z.infer<typeof paypalEmail>;

/** The body of `POST /add-email` and `PUT /paypal-email/{id}`. PayPal takes at most 127 characters. */
export const paypalEmailInput = z.strictObject({ paypalEmail: emailAddress.pipe(z.string().max(127)) });

export const paypalContract = {
  /** Zero or one. */
  listPaypalEmail: query({
    pattern: 'orders.listPaypalEmail',
    access: 'customer',
    input: z.object({}),
    output: z.array(paypalEmail),
  }),
  /** NOT_FOUND. */
  paypalEmail: query({
    pattern: 'orders.paypalEmail',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: paypalEmail,
  }),
  /** SINGLETON_EXISTS. */
  addPaypalEmail: command({
    pattern: 'orders.addPaypalEmail',
    access: 'admin',
    fresh: true,
    input: paypalEmailInput,
    output: paypalEmail,
  }),
  /** NOT_FOUND, VERSION_MISMATCH. */
  updatePaypalEmail: command({
    pattern: 'orders.updatePaypalEmail',
    access: 'admin',
    fresh: true,
    input: paypalEmailInput.extend({ id: z.string(), ifVersion: z.int().optional() }),
    output: z.object({ record: paypalEmail, modified: z.boolean() }),
  }),
} as const;
