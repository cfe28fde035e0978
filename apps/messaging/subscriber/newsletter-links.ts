import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse as uuidBytes, stringify as uuidText } from 'uuid';
import { newsletterLinkPaths } from '#libs/contracts';

/** `linkSecret` is stored with the subscriber, so links stay valid when keys are rotated or a backup is restored. */
export interface LinkSubscriber {
  id: string;
  linkSecret: string;
}

export interface LinkValidity {
  /** The subscriber's `linkRound` when the link was made. Unsubscribing increments `linkRound`, and so ends the link's validity. */
  round: number;
  expiresAt: Date;
}

const idBytes = 16;
const macBytes = 32;
const roundBytes = 4;
const expiryBytes = 6;

/** The link opens a page; a mail program can instead unsubscribe by a POST to it (RFC 8058). Its token never changes or expires. */
export function unsubscribeUrl(publicUrl: string, subscriber: LinkSubscriber): string {
  return `${publicUrl}${newsletterLinkPaths.unsubscribe}?token=${unsubscribeToken(subscriber)}`;
}

export function unsubscribeToken(subscriber: LinkSubscriber): string {
  return sign('unsubscribe', idBytesOf(subscriber.id), subscriber);
}

export function confirmUrl(publicUrl: string, subscriber: LinkSubscriber, validity: LinkValidity): string {
  return `${publicUrl}${newsletterLinkPaths.confirm}?token=${confirmToken(subscriber, validity)}`;
}

export function confirmToken(subscriber: LinkSubscriber, { round, expiresAt }: LinkValidity): string {
  const packedValidity = Buffer.alloc(roundBytes + expiryBytes);
  packedValidity.writeUInt32BE(round, 0);
  packedValidity.writeUIntBE(expiresAt.getTime(), roundBytes, expiryBytes);
  return sign('confirm', Buffer.concat([idBytesOf(subscriber.id), packedValidity]), subscriber);
}

/** What a token claims. Trust the claim only after `isGenuine` has returned true for the subscriber with its `id`. */
export interface Claim {
  id: string;
  isGenuine(subscriber: LinkSubscriber): boolean;
}

export function readUnsubscribeToken(token: string): Claim | undefined {
  return parse('unsubscribe', token, 0)?.claim;
}

export function readConfirmToken(token: string): (Claim & { validity: LinkValidity }) | undefined {
  const parsed = parse('confirm', token, roundBytes + expiryBytes);
  if (!parsed) return undefined;
  const { claim, packedValidity } = parsed;
  const expiresAt = new Date(packedValidity.readUIntBE(roundBytes, expiryBytes));
  return { ...claim, validity: { round: packedValidity.readUInt32BE(0), expiresAt } };
}

type Purpose = 'unsubscribe' | 'confirm';

const idBytesOf = (id: string) => Buffer.from(uuidBytes(id));

function sign(purpose: Purpose, payload: Buffer, subscriber: LinkSubscriber): string {
  return Buffer.concat([payload, macOf(purpose, payload, subscriber)]).toString('base64url');
}

function macOf(purpose: Purpose, payload: Buffer, { linkSecret }: LinkSubscriber): Buffer {
  return createHmac('sha256', linkSecret).update(`${purpose}:`).update(payload).digest();
}

function parse(purpose: Purpose, token: string, validityBytes: number) {
  const bytes = Buffer.from(token, 'base64url');
  // The decoder ignores invalid characters and surplus bits, but a changed token must be invalid.
  if (bytes.length !== idBytes + validityBytes + macBytes || bytes.toString('base64url') !== token)
    return undefined;
  const payload = bytes.subarray(0, idBytes + validityBytes);
  const mac = bytes.subarray(idBytes + validityBytes);
  const id = idOf(bytes.subarray(0, idBytes));
  if (id === undefined) return undefined;
  const isGenuine = (subscriber: LinkSubscriber) =>
    subscriber.id === id && timingSafeEqual(mac, macOf(purpose, payload, subscriber));
  return { claim: { id, isGenuine }, packedValidity: payload.subarray(idBytes) };
}

function idOf(bytes: Uint8Array): string | undefined {
  try {
    return uuidText(bytes);
  } catch {
    return undefined;
  }
}
