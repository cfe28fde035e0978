import { type Order, orderNumber, paymentProvider } from '#libs/contracts';
import { siteNameOf } from '#libs/content-model';
import { useSite } from '../../lib/site.js';
import { Details } from '../../workspace/Details.js';
import { money } from '../../lib/money.js';
import { date } from '../../workspace/formats.js';

/** The details of one order: before the payment, what is paid for; afterwards, the receipt. */
export function OrderFacts({ order }: { order: Order }) {
  const currentName = siteNameOf(useSite());
  const paid = order.paymentStatus === 'Paid';
  return (
    <Details
      items={[
        ['Plan', order.packageName],
        ['Amount', money(order.packagePrice)],
        ['Order date', order.orderDate],
        ['Order number', orderNumber(order)],
        ['Seller', paid ? (order.seller ?? currentName) : undefined],
        ['Customer', order.customerName],
        ['E-mail', paid ? order.customerEmail : undefined],
        ['Address', paid ? `${order.customerAddress}, ${order.customerCountry}` : undefined],
        ...order.payments.map(paymentLine),
        ['Disputed', Number(order.disputed) > 0 ? money(order.disputed) : undefined],
      ]}
    />
  );
}

const stateWords = {
  pending: 'under way',
  failed: 'failed',
  received: 'received',
  partially_refunded: 'partially refunded',
  refunded: 'refunded',
  disputed: 'disputed',
} as const;

const provider = paymentProvider.label;

function paymentLine({ txnId, state, amount, refunded, paidAt }: Order['payments'][number], index: number) {
  const back = Number(refunded) > 0 ? `, ${money(refunded)} refunded` : '';
  return [
    index === 0 ? provider : `${provider} (${index + 1})`,
    `${money(amount)} ${stateWords[state]} on ${date(paidAt)}${back}, transaction ${txnId}`,
  ] as const;
}
