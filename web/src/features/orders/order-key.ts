import { useState } from 'react';
import { newIdempotencyKey } from '../../lib/form.js';
import { dayOf } from '../../workspace/days.js';

/* A double click, a form sent again after a lost answer, and two tabs with the same form must place one order, so they use the same
   Idempotency-Key, which the browser keeps for `keptForMs`. Forms that are open when the order is placed still have that key: sending one of them
   again returns the same order. A form that is opened later gets a new key. Once there is a new key, an older form that is sent on a later day places
   another order, because the day of its order is no longer known. */

export interface OrderKey {
  /** The Idempotency-Key for a request with this body. Another body gets another key, and so places another order. */
  idempotencyKeyFor(body: object): string;
  /** The day on which an order with this key was first sent, MM/DD/YYYY. An order that is sent again keeps it, even after midnight. */
  orderDate(): string;
  /** Call it when the order is placed: forms that are opened later place another order. */
  clear(): void;
}

/** When a form was first opened, and the key that it got. */
interface Opening {
  key: string;
  openedAt: number;
  /** Undefined until an order is sent. */
  orderDate?: string | undefined;
  isPlaced?: boolean | undefined;
}

/** Less than the 24 hours for which the server remembers a key. */
const keptForMs = 20 * 3600_000;

const storageKey = (subject: string) => `order-key:${subject}`;

/** `subject` names the person, and the package that is ordered or the order that is placed again. */
export function useOrderKey(subject: string): OrderKey {
  const [opening] = useState(() => loadOrCreateOpening(subject, new Date()));
  return {
    idempotencyKeyFor: (body) => `${opening.key}.${digest(JSON.stringify(body))}`,
    orderDate: () => {
      const now = new Date();
      const stored = readOpening(subject, now);
      const isKept = stored?.key === opening.key;
      opening.orderDate ??= (isKept ? stored.orderDate : undefined) ?? formatOrderDate(now);
      if (isKept) storeOpening(subject, { ...stored, orderDate: opening.orderDate });
      return opening.orderDate;
    },
    clear: () => {
      const stored = readOpening(subject, new Date());
      if (stored?.key === opening.key) storeOpening(subject, { ...stored, isPlaced: true });
    },
  };
}

function loadOrCreateOpening(subject: string, now: Date): Opening {
  const known = readOpening(subject, now);
  if (known && !known.isPlaced) return known;
  const opening = { key: newIdempotencyKey(), openedAt: now.getTime() };
  storeOpening(subject, opening);
  return opening;
}

function storeOpening(subject: string, opening: Opening): void {
  try {
    localStorage.setItem(storageKey(subject), JSON.stringify(opening));
  } catch {
    // Without storage, the key lasts as long as the form is open.
  }
}

function readOpening(subject: string, now: Date): Opening | undefined {
  try {
    const { key, openedAt, orderDate, isPlaced } = JSON.parse(
      localStorage.getItem(storageKey(subject)) ?? '{}',
    ) as Partial<Opening>;
    const isKept = key && openedAt && now.getTime() - openedAt < keptForMs;
    return isKept ? { key, openedAt, orderDate, isPlaced } : undefined;
  } catch {
    return undefined;
  }
}

/** Distinguishes the few versions of one person's form: FNV-1a, 64 bits. `crypto.subtle` does not exist on plain HTTP. */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** MM/DD/YYYY in the person's own time zone, as the specification says. */
export function formatOrderDate(at: Date): string {
  const [year, month, day] = dayOf(at).split('-');
  return `${month}/${day}/${year}`;
}
