import { Link } from 'react-router-dom';
import { formatOrderNumber, type Order, paymentProvider } from '#libs/contracts';
import { siteNameOf } from '#libs/content-model';
import { useSite } from '../../lib/site.js';
import { useAccount } from '../../workspace/current-screen.js';
import { Details } from '../../workspace/Details.js';
import { formatOrderDay } from '../../workspace/formats.js';
import { paymentText, totalText } from '../../workspace/orders/words.js';
import { money } from '../../lib/money.js';

/** Before the payment, what is to be paid for; afterwards, the receipt. */
export function OrderDetails({ order }: { order: Order }) {
  const currentName = siteNameOf(useSite());
  const isOwn = order.accountId === useAccount().id;
  const paid = order.paymentStatus === 'Paid';
  return (
    <Details
      items={[
        ['Plan', order.packageName],
        ['Amount', totalText(order)],
        ['Renewal', renewalText(order, isOwn)],
        ['Order date', formatOrderDay(order.orderDate)],
        ['Order number', formatOrderNumber(order)],
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

function renewalText({ renewal, paymentStatus, customerName }: Order, isOwn: boolean) {
  if (!renewal) return undefined;
  if (!renewal.subscriptionId) {
    if (paymentStatus !== 'UnPaid') return undefined;
    return `Every month until ${isOwn ? 'you cancel' : `${customerName} cancels`}`;
  }
  return (
    <>
      Month {renewal.cycle} of <Link to={`/monthly-plan/${renewal.subscriptionId}`}>the monthly plan</Link>
    </>
  );
}

const provider = paymentProvider.label;

function paymentLine(payment: Order['payments'][number], index: number) {
  return [
    index === 0 ? provider : `${provider} (${index + 1})`,
    `${paymentText(payment)}, transaction ${payment.txnId}`,
  ] as const;
}
