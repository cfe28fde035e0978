import { keepPreviousData, type QueryState, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Order, PaymentOutlook } from '#libs/contracts';
import { callApi, type Problem } from '../../lib/api.js';

/** What is known of a payment, and what the order says. */
export interface Outlook {
  /** `looking` until something was answered. */
  outlook: PaymentOutlook | 'looking';
  order: Order | undefined;
  /** Why the last look failed. */
  problem: Problem | undefined;
  /** It was looked for as long as people wait: from now on the orders page shows it. */
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

/** What a look found, and what the server said when it was asked last. */
interface Look {
  order: Order;
  asked: PaymentOutlook | undefined;
}

/**
 * Follows a payment after the customer came back from the checkout. `tx` of the return address is handed on, once, for the
 * server to ask the provider about; whatever else that address says is not believed. A hidden tab does not look.
 */
export function useOutlook(id: string, tx: string | undefined): Outlook {
  const client = useQueryClient();
  const [round, setRound] = useState(0);
  const queryKey = ['outlook', id, round];
  const { data, error } = useQuery<Look, Problem>({
    queryKey,
    queryFn: () => look(id, round === 0 ? tx : undefined, client.getQueryData(queryKey)),
    placeholderData: keepPreviousData,
    // Also when a look found nothing new: it was one of those that people wait for.
    notifyOnChangeProps: 'all',
    refetchOnWindowFocus: ({ state }) => !isSettled(state) && waits[looks(state) - 1] !== undefined,
    refetchInterval: ({ state }) => !isSettled(state) && (waits[looks(state) - 1] ?? false),
  });
  const state = client.getQueryState<Look, Problem>(queryKey);
  return {
    outlook: data ? (outlookOf(data.order) ?? data.asked ?? 'confirming') : 'looking',
    order: data?.order,
    problem: error ?? undefined,
    givenUp: state !== undefined && !isSettled(state) && looks(state) > waits.length,
    again: () => setRound((count) => count + 1),
  };
}

type LookState = Pick<QueryState<Look, Problem>, 'data' | 'error' | 'dataUpdateCount' | 'errorUpdateCount'>;

const looks = ({ dataUpdateCount, errorUpdateCount }: LookState) => dataUpdateCount + errorUpdateCount;

/** Nothing takes the news further; what is cancelled may still be paid by what is under way. */
const isSettled = ({ data, error }: LookState) =>
  error?.status === 404 || (data !== undefined && outlookOf(data.order) === 'paid');

async function look(id: string, tx: string | undefined, before: Look | undefined): Promise<Look> {
  const answer = await callApi('GET /order/:id', { params: { id } });
  if (!answer.ok) throw answer.problem;
  const order = answer.value;
  const known = outlookOf(order);
  // After the order was read: what happens in between shows as another version at the next look.
  const isToAsk = before
    ? !known && (before.order.version !== order.version || !before.asked)
    : known !== 'paid';
  return { order, asked: isToAsk ? await ask(id, before ? undefined : tx) : before?.asked };
}

async function ask(id: string, tx?: string) {
  const answer = await callApi('POST /order/:id/payment-return', {
    params: { id },
    body: tx ? { tx } : {},
  });
  return answer.ok ? answer.value.outlook : undefined;
}
