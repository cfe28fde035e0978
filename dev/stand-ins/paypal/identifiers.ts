import { randomBytes, randomInt } from 'node:crypto';

const letters = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const characters = (count: number) =>
  Array.from({ length: count }, () => letters[randomInt(letters.length)]).join('');

/** `txn_id`. */
export const newTransactionId = () => characters(17);
/** `payer_id`, `receiver_id`. */
export const newAccountId = () => characters(13);
/** A token as in the addresses of PayPal's checkout pages. */
export const newCheckoutToken = () => `EC-${characters(17)}`;
export const newCaseId = () => `PP-D-${randomInt(10_000_000, 100_000_000)}`;
/** `ipn_track_id`. */
export const newTrackId = () => randomBytes(7).toString('hex').slice(0, 13);
/** `verify_sign`: only PayPal knows its meaning; listeners just send it back. */
export const newVerifySign = () =>
  `A${randomBytes(42).toString('base64url').replaceAll('_', '.').slice(0, 55)}`;
