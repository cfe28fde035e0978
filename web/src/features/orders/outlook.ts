import { useEffect, useState } from 'react';
import type { Order, PaymentOutlook } from '#libs/contracts';
import { callApi, type Problem } from '../../lib/api.js';

/** What is known of a payment, and what the order says. */
export interface Outlook {
  /** `looking` until something was answered. */
  outlook: PaymentOutlook | 'looking';
  order: Order | undefined;
  /** Why the last look failed. */
  problem: Problem | undefined;
  /** It was looked for as long as a person stays: from now on the orders page tells. */
  givenUp: boolean;
  /** Looks again for as long. */
  again(): void;
}

/** Waits between looks, in ms: about five minutes in all. A payment notification mostly takes seconds. */
const waits = [1, 1, 2, 2, 3, 3, 5, 5, 8, 8, 12, 12, 20, 20, 30, 30, 45, 45, 60].map((s) => s * 1000);

/** What the order itself says. Undefined where the server may know more once it has heard that the customer came back. */
function outlookOf({
  paymentStatus,
  paymentState,
  paymentHold,
}: Pick<Order, 'paymentStatus' | 'paymentState' | 'paymentHold'>): PaymentOutlook | undefined {
  if (paymentStatus === 'Paid') return 'paid';
  if (paymentState === 'disputed') return 'under_review';
  if (paymentStatus === 'Cancelled') return 'cancelled';
  return paymentState === 'pending' ? 'pending' : (paymentHold ?? undefined);
}

type Seen = Pick<Outlook, 'outlook' | 'order' | 'problem' | 'givenUp'>;
const nothing: Seen = { outlook: 'looking', order: undefined, problem: undefined, givenUp: false };

/**
 * Follows a payment after the customer came back from the checkout. `tx` of the return address is handed on, once, for the
 * server to ask the provider about; whatever else that address says is not believed. A hidden tab does not look.
 */
export function useOutlook(id: string, tx: string | undefined): Outlook {
  const [seen, setSeen] = useState(nothing);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    void follow(id, round === 0 ? tx : undefined, leaving.signal, (next) =>
      setSeen((before) => ({ ...before, ...next })),
    );
    return () => leaving.abort();
  }, [id, tx, round]);
  function again(): void {
    setSeen((before) => ({ ...before, givenUp: false }));
    setRound((count) => count + 1);
  }
  return { ...seen, again };
}

async function follow(
  id: string,
  tx: string | undefined,
  signal: AbortSignal,
  show: (seen: Partial<Seen>) => void,
): Promise<void> {
  let asked: PaymentOutlook | undefined;
  let version: number | undefined;
  for (const wait of [0, ...waits]) {
    await pause(wait, signal);
    await shown(signal);
    if (signal.aborted) return;
    const answer = await callApi('GET /order/:id', { params: { id } });
    if (!answer.ok) {
      show({ problem: answer.problem, ...(asked && { outlook: asked }) });
      if (answer.problem.status === 404) return;
      continue;
    }
    const order = answer.value;
    const known = outlookOf(order);
    // After the order was read: what happens in between shows as another version at the next look.
    if (version === undefined) asked = known === 'paid' ? undefined : await ask(id, tx);
    else if (!known && (version !== order.version || !asked)) asked = await ask(id);
    version = order.version;
    if (signal.aborted) return;
    show({ order, problem: undefined, outlook: known ?? asked ?? 'confirming' });
    // Nothing takes the news further; what is cancelled may still be paid by what is under way.
    if (known === 'paid') return;
  }
  show({ givenUp: true });
}

async function ask(id: string, tx?: string) {
  const answer = await callApi('POST /order/:id/payment-return', {
    params: { id },
    body: tx ? { tx } : {},
  });
  return answer.ok ? answer.value.outlook : undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Resolves when the tab is in sight. */
function shown(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible' || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState === 'visible') resolve();
    };
    document.addEventListener('visibilitychange', check, { signal });
    signal.addEventListener('abort', () => resolve());
  });
}
