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

/** Waits between looks, in ms: about five minutes in all. PayPal's notice mostly takes seconds. */
const waits = [1, 1, 2, 2, 3, 3, 5, 5, 8, 8, 12, 12, 20, 20, 30, 30, 45, 45, 60].map((s) => s * 1000);

/** After these no other look changes anything. */
const settled: ReadonlySet<Outlook['outlook']> = new Set(['paid', 'failed', 'cancelled']);

/** What the order itself says; undefined while it says no more than 'UnPaid', which the server may know more about. */
export function outlookOf({
  paymentStatus,
  paymentState,
}: Pick<Order, 'paymentStatus' | 'paymentState'>): PaymentOutlook | undefined {
  if (paymentStatus === 'Paid') return 'paid';
  if (paymentStatus === 'Cancelled') return 'cancelled';
  return paymentState === 'pending' || paymentState === 'failed' ? paymentState : undefined;
}

type Seen = Pick<Outlook, 'outlook' | 'order' | 'problem' | 'givenUp'>;
const nothing: Seen = { outlook: 'looking', order: undefined, problem: undefined, givenUp: false };

/**
 * Follows a payment after the customer came back from the checkout. `tx` of the return address is handed on, once, for the
 * server to ask PayPal about; whatever else that address says is not believed. A hidden tab does not look.
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
  let asked = await ask(id, tx);
  for (const [look, wait] of [0, ...waits].entries()) {
    await pause(wait, signal);
    await shown(signal);
    if (signal.aborted) return;
    const answer = await callApi<Order>(`/order/${id}`);
    if (signal.aborted) return;
    const known = answer.ok ? outlookOf(answer.value) : undefined;
    // A payment that was held for a check shows only when it is asked for, and may have come since.
    if (!known && look > 0 && look % 5 === 0) asked = (await ask(id)) ?? asked;
    if (signal.aborted) return;
    show(
      answer.ok
        ? { order: answer.value, problem: undefined, outlook: known ?? asked ?? 'confirming' }
        : { problem: answer.problem, ...(asked && { outlook: asked }) },
    );
    if (known && settled.has(known)) return;
    if (!answer.ok && answer.problem.status === 404) return;
  }
  show({ givenUp: true });
}

async function ask(id: string, tx?: string) {
  const answer = await callApi<{ outlook: PaymentOutlook }>(`/order/${id}/payment-return`, {
    method: 'POST',
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
