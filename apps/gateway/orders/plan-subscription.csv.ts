import type { PlanSubscription, SubscriptionFigures } from '#libs/contracts';
import type { CsvColumns } from '../csv/csv-download.js';

export const planSubscriptionColumns: CsvColumns<PlanSubscription> = [
  ['Plan', ({ _id }) => _id],
  ['First order', ({ firstOrderNumber }) => String(firstOrderNumber)],
  ['Customer name', ({ customerName }) => customerName],
  ['Customer e-mail', ({ customerEmail }) => customerEmail],
  ['Package', ({ packageName }) => packageName],
  ['Price (USD)', ({ price }) => price],
  ['Status', ({ state }) => state],
  ['Started', ({ startedAt }) => startedAt],
  ['Charges', ({ cycles }) => String(cycles)],
  ['Next charge', ({ nextChargeAt }) => nextChargeAt ?? ''],
  ['Next charge (USD)', ({ nextChargeAmount }) => nextChargeAmount ?? ''],
  ['Paid until', ({ paidUntil }) => paidUntil ?? ''],
  ['Past due since', ({ pastDueSince }) => pastDueSince ?? ''],
  ['Outstanding (USD)', ({ outstanding }) => outstanding ?? ''],
  ['Ends', ({ endsOn }) => endsOn ?? ''],
  ['Ended', ({ endedAt }) => endedAt ?? ''],
  ['End reason', ({ endReason }) => endReason ?? ''],
  ['Problem', ({ problem }) => problem ?? ''],
];

export const subscriptionFigureColumns: CsvColumns<SubscriptionFigures['months'][number]> = [
  ['Month', ({ month }) => month],
  ['Monthly recurring revenue (USD)', ({ recurring }) => recurring],
  ['New (USD)', (month) => month.new],
  ['Expansion (USD)', ({ expansion }) => expansion],
  ['Contraction (USD)', ({ contraction }) => contraction],
  ['Churned (USD)', ({ churned }) => churned],
  ['Plans that began or came back', ({ began }) => String(began)],
  ['Plans that ended or were stopped', ({ left }) => String(left)],
];
