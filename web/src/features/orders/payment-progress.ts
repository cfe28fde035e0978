import { keepPreviousData, type QueryState, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Order, PaymentOutlook } from '#libs/contracts';
import { callApi, type Problem } from '../../lib/api.js';

export interface PaymentProgress {
  /** `loading` until the order has been read. */
  state: PaymentOutlook | 'loading';
  order: Order | undefined;
  /** Why the last poll could not read the order. A failure of `payment-return` is not reported. */
  problem: Problem | undefined;
  /** Polling has stopped although the order is not paid; the customer's list of orders will show the result. */
  givenUp: boolean;
  checkAgain(): void;
}

/** Intervals of polling, in ms; about five minutes in all. A payment notification usually takes seconds. */
const pollIntervals = [1, 1, 2, 2, 3, 3, 5, 5, 8, 8, 12, 12, 20, 20, 30, 30, 45, 45, 60].map((s) => s * 1000);

/** What the order alone says about the payment. Undefined if the answer to `payment-return` is needed, for which the server may ask the provider. */
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

interface PollResult {
  order: Order;
  returnOutlook: PaymentOutlook | undefined;
}

/**
 * `transactionId` is from the return address, and the server can ask the provider about it. It is sent until a call with it has succeeded, and
 * again when the customer checks again. Nothing else that the provider added to the address is used. A hidden tab does not poll.
 */
export function usePaymentProgress(id: string, transactionId: string | undefined): PaymentProgress {
  const client = useQueryClient();
  const [round, setRound] = useState(0);
  const queryKey = ['payment-progress', id, round];
  const { data, error } = useQuery<PollResult, Problem>({
    queryKey,
    queryFn: () => poll(id, transactionId, client.getQueryData(queryKey)),
    placeholderData: keepPreviousData,
    // Rerenders even after a poll that changed nothing, because `givenUp` depends on the number of polls.
    notifyOnChangeProps: 'all',
    refetchOnWindowFocus: ({ state }) =>
      !isSettled(state) && pollIntervals[pollCount(state) - 1] !== undefined,
    refetchInterval: ({ state }) => !isSettled(state) && (pollIntervals[pollCount(state) - 1] ?? false),
  });
  const queryState = client.getQueryState<PollResult, Problem>(queryKey);
  return {
    state: data ? (outlookOf(data.order) ?? data.returnOutlook ?? 'confirming') : 'loading',
    order: data?.order,
    problem: error ?? undefined,
    givenUp:
      queryState !== undefined && !isSettled(queryState) && pollCount(queryState) > pollIntervals.length,
    checkAgain: () => setRound((count) => count + 1),
  };
}

type PollState = Pick<
  QueryState<PollResult, Problem>,
  'data' | 'error' | 'dataUpdateCount' | 'errorUpdateCount'
>;

const pollCount = ({ dataUpdateCount, errorUpdateCount }: PollState) => dataUpdateCount + errorUpdateCount;

/** A cancelled order is not settled: a payment in progress may still arrive. */
const isSettled = ({ data, error }: PollState) =>
  error?.status === 404 || (data !== undefined && outlookOf(data.order) === 'paid');

async function poll(
  id: string,
  transactionId: string | undefined,
  previous: PollResult | undefined,
): Promise<PollResult> {
  const answer = await callApi('GET /order/:id', { params: { id } });
  if (!answer.ok) throw answer.problem;
  const order = answer.value;
  const knownOutlook = outlookOf(order);
  // Read the order first, then call `payment-return`. If the order changes in between, the next poll sees a newer `version` and calls
  // `payment-return` again.
  // Unless the order is paid, the first poll always calls `payment-return`, because the call records that the buyer has returned.
  const shouldAsk = previous
    ? !knownOutlook && (previous.order.version !== order.version || !previous.returnOutlook)
    : knownOutlook !== 'paid';
  const returnOutlook = shouldAsk
    ? await askForOutlook(id, previous?.returnOutlook ? undefined : transactionId)
    : previous?.returnOutlook;
  return { order, returnOutlook };
}

async function askForOutlook(id: string, transactionId?: string) {
  const answer = await callApi('POST /order/:id/payment-return', {
    params: { id },
    body: transactionId ? { tx: transactionId } : {},
  });
  return answer.ok ? answer.value.outlook : undefined;
}
