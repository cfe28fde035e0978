import { useRef, useState } from 'react';
import { newIdempotencyKey } from '../../lib/form.js';
import { dayOf } from '../../workspace/days.js';

/* A double click, a form sent again after a lost answer, and two tabs with the same form must place one order, so they send the same date and
   Idempotency-Key, which the browser keeps. Forms that are open when the order is placed still have that key: sending one of them again returns the
   same order. A form that is opened later gets a new key. Once there is a new key, an older form that is sent for the first time on a later day
   places another order, because the day of the order is no longer known. */

export interface OrderKey {
  /** The day on which this order was first sent, MM/DD/YYYY. An order that is sent again keeps it, even after midnight. */
  orderDateFor(order: object): string;
  /** The Idempotency-Key for a request with this body. Another body gets another key, and so places another order. */
  idempotencyKeyFor(body: object): string;
  /** Forms that are opened later place another order. */
  markPlaced(): void;
}

/** Shared by the forms that are opened until the order is placed. */
interface Opening {
  key: string;
  /** When the first of the forms was opened. */
  openedAt: number;
  /** The newest order that was sent. */
  sent?: SentOrder;
  isPlaced?: boolean;
}

interface SentOrder {
  digest: string;
  /** When it was first sent. */
  at: number;
}

/** Less than the 24 hours for which the server remembers a key. */
const keptForMs = 20 * 3600_000;

const storageKey = 'order-keys';

/** `subject` names the person, and the package that is ordered or the order that is placed again. */
export function useOrderKey(subject: string): OrderKey {
  const [{ key }] = useState(() => loadOrCreateOpening(subject));
  const sentHere = useRef<SentOrder>(undefined);
  const readStored = () => {
    const stored = readOpenings()[subject];
    return stored?.key === key ? stored : undefined;
  };
  return {
    orderDateFor: (order) => {
      const digest = digestOf(order);
      const stored = readStored();
      const isSame = (sent: SentOrder | undefined) => sent?.digest === digest && isRecent(sent.at);
      const sent = [sentHere.current, stored?.sent].find(isSame) ?? { digest, at: Date.now() };
      sentHere.current = sent;
      if (stored) storeOpening(subject, { ...stored, sent });
      return formatOrderDate(new Date(sent.at));
    },
    idempotencyKeyFor: (body) => `${key}.${digestOf(body)}`,
    markPlaced: () => {
      const stored = readStored();
      if (stored) storeOpening(subject, { ...stored, isPlaced: true });
    },
  };
}

function loadOrCreateOpening(subject: string): Opening {
  const known = readOpenings()[subject];
  if (known && !known.isPlaced) return known;
  const opening = { key: newIdempotencyKey(), openedAt: Date.now() };
  storeOpening(subject, opening);
  return opening;
}

const isRecent = (moment: number) => Date.now() - moment < keptForMs;

/** By subject. */
function readOpenings(): Partial<Record<string, Opening>> {
  try {
    const all = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, Opening>;
    return Object.fromEntries(
      Object.entries(all).filter(([, { openedAt, sent }]) => isRecent(sent?.at ?? openedAt)),
    );
  } catch {
    return {};
  }
}

function storeOpening(subject: string, opening: Opening): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ ...readOpenings(), [subject]: opening }));
  } catch {
    // Without storage, the key lasts as long as the form is open.
  }
}

/** Distinguishes the few versions of one person's form: FNV-1a, 64 bits. `crypto.subtle` does not exist on plain HTTP. */
function digestOf(body: object): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(JSON.stringify(body))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** MM/DD/YYYY in the person's own time zone, as the specification says. */
export function formatOrderDate(at: Date): string {
  const [year, month, day] = dayOf(at).split('-');
  return `${month}/${day}/${year}`;
}
