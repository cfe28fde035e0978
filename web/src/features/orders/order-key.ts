import { useRef, useState } from 'react';
import { newIdempotencyKey } from '../../lib/form.js';
import { dayOf } from '../../workspace/days.js';

/* A double click, a form sent again after a lost answer, and two tabs with the same form must place one order, so they send the same date and
   Idempotency-Key, which the browser keeps. Forms that are open when the order is placed still have that key: sending one of them returns the same
   order. A form that is opened later gets a new key, which replaces the old key and the day of the order in the browser's storage. An older form that
   is then sent for the first time, on a later day, has another date, and so places another order. */

export interface OrderKey {
  /** The day on which this order was first sent, MM/DD/YYYY. An order that is sent again within `keptForMs` keeps it, even after midnight. */
  orderDateFor(order: object): string;
  /** The Idempotency-Key for a request with this body. Another body gets another key, and so places another order. */
  idempotencyKeyFor(body: object): string;
  /** Forms that are opened later place another order. */
  markPlaced(): void;
}

/** An order that somebody means to place. Shared by the forms that are opened until the order is placed. */
interface OrderIntent {
  key: string;
  /** When the first of the forms was opened. */
  openedAt: number;
  /** When each version of the order was first sent, by its digest. */
  sentAt: Readonly<Record<string, number>>;
  isPlaced?: boolean;
}

/** Less than the 24 hours for which the server remembers a key. */
const keptForMs = 20 * 3600_000;

const storagePrefix = 'order-key:';

/** `subject` names the person, and the package that is ordered or the order that is placed again. */
export function useOrderKey(subject: string): OrderKey {
  const storageKey = storagePrefix + subject;
  const [intent] = useState(() => loadOrCreateIntent(storageKey));
  const { key } = intent;
  const sentHere = useRef(intent.sentAt);
  return {
    orderDateFor: (order) => {
      const digest = digestOf(order);
      const stored = readIntent(storageKey) ?? intent;
      const isOwn = stored.key === key;
      const known = [sentHere.current[digest], isOwn ? stored.sentAt[digest] : undefined];
      const at = known.find((moment) => moment !== undefined && isRecent(moment)) ?? Date.now();
      sentHere.current = { ...sentHere.current, [digest]: at };
      if (isOwn)
        store(storageKey, { ...stored, sentAt: { ...sentHere.current, ...stored.sentAt, [digest]: at } });
      return formatOrderDate(new Date(at));
    },
    idempotencyKeyFor: (body) => `${key}.${digestOf(body)}`,
    markPlaced: () => {
      const stored = readIntent(storageKey);
      if (stored?.key === key) store(storageKey, { ...stored, isPlaced: true });
    },
  };
}

function loadOrCreateIntent(storageKey: string): OrderIntent {
  const known = readIntent(storageKey);
  if (known && !known.isPlaced) return known;
  deleteOldIntents();
  const intent = { key: newIdempotencyKey(), openedAt: Date.now(), sentAt: {} };
  store(storageKey, intent);
  return intent;
}

const isRecent = (moment: number) => Date.now() - moment < keptForMs;

/** Undefined if none is stored, or if `openedAt` and every `sentAt` are longer ago than `keptForMs`. */
function readIntent(storageKey: string): OrderIntent | undefined {
  try {
    const intent = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as OrderIntent | null;
    return intent && [intent.openedAt, ...Object.values(intent.sentAt)].some(isRecent) ? intent : undefined;
  } catch {
    return undefined;
  }
}

function store(storageKey: string, intent: OrderIntent): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(intent));
  } catch {
    // Without storage, the key lasts as long as the form is open.
  }
}

function deleteOldIntents(): void {
  try {
    for (const storageKey of Object.keys(localStorage))
      if (storageKey.startsWith(storagePrefix) && !readIntent(storageKey))
        localStorage.removeItem(storageKey);
  } catch {
    // Without storage, there is nothing to delete.
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
