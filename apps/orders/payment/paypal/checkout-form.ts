import { cutText } from '#libs/runtime';
import { type CheckoutForm, paypalDefinition } from '#libs/contracts';
import { dollarsOf } from '../../money/price.js';
import { notificationUrl, type StartedAttempt } from '../payment-provider.js';

/** PayPal truncates longer names. We do it first, so that notifications have the same name as the form. */
const maxNameLength = 127;

/**
 * The "Buy Now" form of Payments Standard
 * (https://developer.paypal.com/api/nvp-soap/paypal-payments-standard/integration-guide/Appx-websitestandard-htmlvariables/). The buyer can change
 * every field, so notifications are checked against the attempt, not against the form.
 */
export function checkoutForm(attempt: StartedAttempt, action: string, publicUrl: string): CheckoutForm {
  const fields: Record<string, string> = {
    cmd: '_xclick',
    business: attempt.receiver,
    item_name: truncatedName(attempt.itemName),
    item_number: '1',
    amount: dollarsOf(attempt.amountCents),
    currency_code: attempt.currency,
    // Without `tax` and `shipping`, the settings of the seller's PayPal account change the amount (see the guide above).
    tax: '0.00',
    shipping: '0.00',
    no_shipping: '1',
    notify_url: notificationUrl(publicUrl, paypalDefinition),
    return: `${publicUrl}/received-payment/${attempt.orderId}`,
    cancel_return: `${publicUrl}/order-cancelled/${attempt.orderId}`,
    rm: '1',
    // Notifications must contain this id (`paypal-checks.ts`). It is the same for all attempts of the order, unlike `attempt.invoice`.
    invoice: attempt.orderId,
    custom: attempt.token,
    charset: 'utf-8',
  };
  return { action, fields: Object.entries(fields).map(([name, value]) => ({ name, value })) };
}

export const truncatedName = (text: string) => cutText(text, maxNameLength);
