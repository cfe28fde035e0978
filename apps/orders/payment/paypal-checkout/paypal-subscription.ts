import { z } from 'zod';
import { link, money, paypalId } from './paypal-order.js';

// The part of PayPal's answers that we read: https://developer.paypal.com/docs/api/subscriptions/v1/ and …/catalog-products/v1/.

/** The answer to the creation of a product or a plan. */
export const createdResource = z.object({ id: paypalId });

export const paypalSubscription = z.object({
  id: paypalId,
  status: z.string(),
  plan_id: paypalId.optional(),
  start_time: z.string().optional(),
  create_time: z.string().optional(),
  billing_info: z
    .object({
      outstanding_balance: money.optional(),
      next_billing_time: z.string().optional(),
      failed_payments_count: z.number().optional(),
      last_failed_payment: z
        .object({ time: z.string().optional(), next_payment_retry_time: z.string().optional() })
        .optional(),
    })
    .optional(),
  links: z.array(link).optional(),
});
export type PaypalSubscription = z.infer<typeof paypalSubscription>;

/** The answer to a change of a subscription's plan. */
export const revision = z.object({ links: z.array(link) });

const transaction = z.object({
  id: paypalId,
  status: z.string().optional(),
  amount_with_breakdown: z.object({ gross_amount: money }),
  time: z.string(),
});
export const transactionList = z.object({ transactions: z.array(transaction).default([]) });
export type Transaction = z.infer<typeof transaction>;
