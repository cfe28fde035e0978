import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse as uuidBytes, stringify as uuidText } from 'uuid';
import { subscriptionPaths } from '#libs/contracts';

/** Whose links they are. The secret is in the record, so they live as long as it does: through every rotated key, and a restored backup. */
export interface LinkHolder {
  id: string;
  linkSecret: string;
}

/** What a link to confirm says of itself. */
export interface Confirmation {
  /** The subscriber's `linkRound` when it was made. */
  round: number;
  expiresAt: Date;
}

const idBytes = 16;
const macBytes = 32;
const roundBytes = 4;
const momentBytes = 6;

/** Where this person leaves the newsletter, by a page or by one POST (RFC 8058). Always the same, and good for ever. */
export function unsubscribeUrl(publicUrl: string, holder: LinkHolder): string {
  return `${publicUrl}${subscriptionPaths.unsubscribe}?token=${unsubscribeToken(holder)}`;
}

export function unsubscribeToken(holder: LinkHolder): string {
  return sealed('unsubscribe', headOf(holder.id), holder);
}

/** Where this person says that the newsletter is wanted. */
export function confirmUrl(publicUrl: string, holder: LinkHolder, confirmation: Confirmation): string {
  return `${publicUrl}${subscriptionPaths.confirm}?token=${confirmToken(holder, confirmation)}`;
}

export function confirmToken(holder: LinkHolder, { round, expiresAt }: Confirmation): string {
  const terms = Buffer.alloc(roundBytes + momentBytes);
  terms.writeUInt32BE(round, 0);
  terms.writeUIntBE(expiresAt.getTime(), roundBytes, momentBytes);
  return sealed('confirm', Buffer.concat([headOf(holder.id), terms]), holder);
}

/** What a token claims. Believe it once `isGenuine` has said so of the record with that id. */
export interface Claim {
  id: string;
  /** Of a link to confirm. */
  confirmation?: Confirmation;
  isGenuine(holder: LinkHolder): boolean;
}

/** Undefined for what is no such token. */
export function readUnsubscribeToken(token: string): Claim | undefined {
  return open('unsubscribe', token, 0)?.claim;
}

/** Undefined for what is no such token. */
export function readConfirmToken(token: string): (Claim & { confirmation: Confirmation }) | undefined {
  const opened = open('confirm', token, roundBytes + momentBytes);
  if (!opened) return undefined;
  const { claim, terms } = opened;
  const expiresAt = new Date(terms.readUIntBE(roundBytes, momentBytes));
  return { ...claim, confirmation: { round: terms.readUInt32BE(0), expiresAt } };
}

type Purpose = 'unsubscribe' | 'confirm';

const headOf = (id: string) => Buffer.from(uuidBytes(id));

function sealed(purpose: Purpose, says: Buffer, holder: LinkHolder): string {
  return Buffer.concat([says, macOf(purpose, says, holder)]).toString('base64url');
}

function macOf(purpose: Purpose, says: Buffer, { linkSecret }: LinkHolder): Buffer {
  return createHmac('sha256', linkSecret).update(`${purpose}:`).update(says).digest();
}

function open(purpose: Purpose, token: string, termsBytes: number) {
  const bytes = Buffer.from(token, 'base64url');
  // Decoding forgives: one link has one spelling.
  if (bytes.length !== idBytes + termsBytes + macBytes || bytes.toString('base64url') !== token)
    return undefined;
  const says = bytes.subarray(0, idBytes + termsBytes);
  const mac = bytes.subarray(idBytes + termsBytes);
  const id = idOf(bytes.subarray(0, idBytes));
  if (id === undefined) return undefined;
  const isGenuine = (holder: LinkHolder) =>
    holder.id === id && timingSafeEqual(mac, macOf(purpose, says, holder));
  return { claim: { id, isGenuine }, terms: says.subarray(idBytes) };
}

/** Undefined for bytes that are no UUID. */
function idOf(bytes: Uint8Array): string | undefined {
  try {
    return uuidText(bytes);
  } catch {
    return undefined;
  }
}
