import { useState } from 'react';
import { newIdempotencyKey } from '../../lib/form.js';
import { dayOf } from '../../workspace/days.js';

/*
 * What makes one order of a double click, of a form sent again after a lost answer, and of two tabs that send the same
 * form: they all bear the same Idempotency-Key. It is kept in the browser for what is about to be ordered until that
 * order is placed; a form that was opened before then holds on to it, so its order is the one that was placed.
 */

export interface OrderKey {
  /** The same whenever the same values are sent: what differs is another order. */
  of(values: readonly string[]): string;
  /** When the order began, MM/DD/YYYY: what is sent again past midnight is still the same order. */
  orderDate: string;
  /** The order is placed: whoever opens the form from now on wants another. */
  spent(): void;
}

interface Opening {
  key: string;
  orderDate: string;
  openedAt: number;
}

/** The server remembers a key for 24 hours. */
const keptForMs = 20 * 3600_000;

const nameOf = (subject: string) => `order-key:${subject}`;

/** `subject` is who orders what. The key is the one of this opening for as long as the screen is open. */
export function useOrderKey(subject: string): OrderKey {
  const [opening] = useState(() => openingOf(subject, new Date()));
  return {
    of: (values) => `${opening.key}.${digest(JSON.stringify(values))}`,
    orderDate: opening.orderDate,
    spent: () => {
      if (stored(subject)?.key === opening.key) forget(subject);
    },
  };
}

function openingOf(subject: string, now: Date): Opening {
  const known = stored(subject);
  if (known && now.getTime() - known.openedAt < keptForMs) return known;
  const opening = { key: newIdempotencyKey(), orderDate: localDate(now), openedAt: now.getTime() };
  try {
    localStorage.setItem(nameOf(subject), JSON.stringify(opening));
  } catch {
    // Storage is off or full: one tab still orders once.
  }
  return opening;
}

function stored(subject: string): Opening | undefined {
  try {
    const { key, orderDate, openedAt } = JSON.parse(
      localStorage.getItem(nameOf(subject)) ?? '{}',
    ) as Partial<Opening>;
    return key && orderDate && openedAt ? { key, orderDate, openedAt } : undefined;
  } catch {
    return undefined;
  }
}

function forget(subject: string): void {
  try {
    localStorage.removeItem(nameOf(subject));
  } catch {
    // As above.
  }
}

/** Tells one person's few versions of a form apart: FNV-1a, 64 bits (`crypto.subtle` is there on HTTPS only). */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** MM/DD/YYYY in the person's own time zone, as the specification has it. */
export function localDate(at: Date): string {
  const [year, month, day] = dayOf(at).split('-');
  return `${month}/${day}/${year}`;
}
