import { z } from 'zod';
import { toSingleLine } from '#libs/contracts';
import type { AttemptReferences, NotificationFacts } from '../payment-provider.js';
import { captureIdOf, paypalId } from './paypal-order.js';

/** The part of a webhook that we read (https://developer.paypal.com/api/rest/webhooks/). Everything is optional, because anybody can send one. */
const webhookEvent = z.object({
  id: z.string().optional(),
  event_type: z.string().optional(),
  resource_type: z.string().optional(),
  resource: z
    .object({
      id: z.string().optional(),
      status: z.string().optional(),
      custom_id: z.string().optional(),
      /** The subscription's id, if the resource is a sale: one charge of a subscription. */
      billing_agreement_id: z.string().optional(),
      /** Of a refund: the sale that it refunds. */
      sale_id: z.string().optional(),
      purchase_units: z.array(z.object({ custom_id: z.string().optional() })).optional(),
      supplementary_data: z
        .object({ related_ids: z.object({ order_id: z.string().optional() }).optional() })
        .optional(),
      disputed_transactions: z
        .array(z.object({ seller_transaction_id: z.string().optional(), custom: z.string().optional() }))
        .optional(),
      links: z.array(z.object({ rel: z.string(), href: z.string() })).optional(),
    })
    .optional(),
});

function read(body: Buffer): z.infer<typeof webhookEvent> {
  try {
    return webhookEvent.catch({}).parse(JSON.parse(body.toString('utf8')));
  } catch {
    return {};
  }
}

/** Names the attempt by PayPal's subscription, the payment that a refund or dispute is about, our token, or PayPal's order. */
export function referencesInWebhook(body: Buffer): AttemptReferences {
  const { resource, resource_type: resourceType, event_type: eventType } = read(body);
  // A new subscription is not approved yet. If this notification named its attempt, the order could not be paid while the notification waits.
  if (!resource || eventType === 'BILLING.SUBSCRIPTION.CREATED') return {};
  const [disputed] = resource.disputed_transactions ?? [];
  const subscription = resourceType === 'subscription' ? resource.id : resource.billing_agreement_id;
  if (subscription !== undefined) return { checkoutReference: idIn(subscription) };
  if (resource.sale_id !== undefined)
    return { txnId: idIn(resource.sale_id), refundTxnId: idIn(resource.id) };
  return {
    token: resource.custom_id ?? resource.purchase_units?.[0]?.custom_id ?? disputed?.custom,
    checkoutReference: idIn(
      resourceType === 'checkout-order' ? resource.id : resource.supplementary_data?.related_ids?.order_id,
    ),
    txnId: idIn(disputed?.seller_transaction_id) ?? captureIdOf(resource),
  };
}

const idIn = (text: string | undefined) => paypalId.safeParse(text).data;

/** Leaves out everything about the buyer. */
export function factsInWebhook(body: Buffer): NotificationFacts {
  const { id, event_type: eventType, resource } = read(body);
  const facts = { event_id: id, event_type: eventType, resource_id: resource?.id, status: resource?.status };
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, toSingleLine(value, 200)]],
    ),
  );
}
