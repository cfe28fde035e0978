import { z } from 'zod';

// The part of PayPal's answers that we read: https://developer.paypal.com/docs/api/orders/v2/ and …/customer-disputes/v1/.

/** Ids are looked up in tables and are part of addresses, so no other characters are accepted. */
export const paypalId = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);

export const money = z.object({ currency_code: z.string(), value: z.string() });
export type Money = z.infer<typeof money>;

export const link = z.object({ rel: z.string(), href: z.string() });
const statusDetails = z.object({ reason: z.string().optional() }).optional();

export const capture = z.object({
  id: paypalId,
  status: z.string(),
  status_details: statusDetails,
  amount: money,
  seller_receivable_breakdown: z.object({ paypal_fee: money.optional() }).optional(),
  create_time: z.string().optional(),
  update_time: z.string().optional(),
});
export type Capture = z.infer<typeof capture>;

export const refund = z.object({
  id: paypalId,
  status: z.string(),
  status_details: statusDetails,
  amount: money,
  create_time: z.string().optional(),
  links: z.array(link).optional(),
});
export type Refund = z.infer<typeof refund>;

export const paypalOrder = z.object({
  id: paypalId,
  status: z.string(),
  purchase_units: z
    .array(
      z.object({
        payee: z.object({ merchant_id: z.string().optional() }).optional(),
        custom_id: z.string().optional(),
        invoice_id: z.string().optional(),
        amount: money.optional(),
        payments: z
          .object({ captures: z.array(capture).optional(), refunds: z.array(refund).optional() })
          .optional(),
      }),
    )
    .min(1),
  links: z.array(link).optional(),
});
export type PaypalOrder = z.infer<typeof paypalOrder>;

/** PayPal's answer need not repeat what was sent. */
export const createdOrder = paypalOrder.partial({ purchase_units: true });

export const createdRefund = z.object({ id: paypalId });

export const dispute = z.object({
  dispute_id: paypalId,
  status: z.string(),
  reason: z.string().optional(),
  dispute_amount: money,
  dispute_outcome: z
    .object({ outcome_code: z.string().optional(), amount_refunded: money.optional() })
    .optional(),
  disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).optional(),
  create_time: z.string().optional(),
  update_time: z.string().optional(),
});
export type Dispute = z.infer<typeof dispute>;

export const disputeList = z.object({ items: z.array(z.object({ dispute_id: paypalId })).default([]) });

/** What PayPal answered about a payment attempt. Stored as JSON, as evidence. */
export const paypalReport = z.object({
  /** PayPal's id of the order, the subscription or the charge that the attempt refers to. */
  reference: paypalId,
  /**
   * PayPal's order; for a subscription or a charge, PayPal's answer in the form of an order. Null if PayPal does not know the reference: after some
   * hours, PayPal deletes an order that nobody has approved.
   */
  order: paypalOrder.nullable(),
  disputes: z.array(dispute),
  /** Why PayPal did not take the money of an approved order, e.g. `INSTRUMENT_DECLINED`. */
  refusal: z.string().nullable(),
});
export type PaypalReport = z.infer<typeof paypalReport>;

/** Undefined unless the value is a number without a sign, with at most ten digits before the point and two after it. */
export function centsOf({ value }: Money): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(value) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}

/** The id of the capture that a refund belongs to. Undefined if the refund's links do not name it. */
export function captureIdOf({ links = [] }: { links?: { rel: string; href: string }[] | undefined }) {
  const up = links.find(({ rel }) => rel === 'up')?.href ?? '';
  return paypalId.safeParse(/\/captures\/([^/]+)$/.exec(up)?.[1]).data;
}

export function serialized(report: PaypalReport): Buffer {
  return Buffer.from(JSON.stringify(report));
}
