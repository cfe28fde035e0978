import { randomBytes, randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const characters = (count: number, from = alphabet) =>
  Array.from({ length: count }, () => from[randomInt(from.length)]).join('');

/** `txn_id`. */
export const newTransactionId = () => characters(17);
/** `payer_id`, `receiver_id`. PayPal's own pattern has no 0, 1, I or O. */
export const newAccountId = () => characters(13, '23456789ABCDEFGHJKLMNPQRSTUVWXYZ');
export const newOrderId = () => characters(17);
export const newProductId = () => `PROD-${characters(17)}`;
export const newPlanId = () => `P-${characters(24)}`;
export const newSubscriptionId = () => `I-${characters(12)}`;
/** `ba_token`, for the page on which a buyer approves a subscription. */
export const newApprovalToken = () => `BA-${characters(17)}`;
export const newWebhookId = () => characters(17);
export const newEventId = () => `WH-${characters(17)}-${characters(17)}`;
export const newCheckoutToken = () => `EC-${characters(17)}`;
export const newCaseId = () => `PP-D-${randomInt(10_000_000, 100_000_000)}`;
/** `ipn_track_id`. */
export const newTrackId = () => randomBytes(7).toString('hex').slice(0, 13);
/** `verify_sign`: only PayPal knows its meaning; listeners just send it back. */
export const newVerifySign = () =>
  `A${randomBytes(42).toString('base64url').replaceAll('_', '.').slice(0, 55)}`;
