import { randomBytes, randomInt } from 'node:crypto';

const letters = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const characters = (count: number) =>
  Array.from({ length: count }, () => letters[randomInt(letters.length)]).join('');

/** `txn_id`. */
export const newTransactionId = () => characters(17);
/** `payer_id`, `receiver_id`. */
export const newAccountId = () => characters(13);
/** As in the address of PayPal's own checkout pages. */
export const newCheckoutToken = () => `EC-${characters(17)}`;
export const newCaseId = () => `PP-D-${randomInt(10_000_000, 100_000_000)}`;
/** `ipn_track_id`. */
export const newTrackId = () => randomBytes(7).toString('hex').slice(0, 13);
/** `verify_sign`: what it is made of only PayPal knows; listeners hand it back and look no closer. */
export const newVerifySign = () =>
  `A${randomBytes(42).toString('base64url').replaceAll('_', '.').slice(0, 55)}`;
