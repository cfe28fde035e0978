import { z } from 'zod';
import {
  cancelledBy,
  newsletterConsent,
  type Notice,
  type OrderFlag,
  paidReason,
  type PaidReason,
} from '#libs/contracts';
import { type Brand, button, facts, type Letter, type Part, text } from './letter.js';
import { moment } from './moment.js';

const orderParams = z.object({
  orderId: z.string(),
  name: z.string(),
  email: z.string(),
  packageName: z.string(),
  /** In dollars, as ordered. */
  price: z.string(),
  orderDate: z.string(),
  flags: z.array(z.string()).default([]),
  /** Of an order that became Paid. */
  reason: paidReason.default('payment'),
  /** Of an order that a person cancelled. */
  cancelledBy: cancelledBy.nullable().default(null),
  /** What went back, in dollars. */
  amount: z.string().optional(),
  /** How the payment stood when the mail was asked for. */
  money: z
    .object({
      paymentStatus: z.string(),
      payments: z.array(z.string()),
      paymentHold: z.string().nullable(),
      refunded: z.string(),
      payable: z.boolean(),
    })
    .optional(),
});
const messageParams = z.object({
  messageId: z.string(),
  name: z.string(),
  emailAddress: z.string(),
  subject: z.string(),
  message: z.string(),
});
type OrderParams = z.output<typeof orderParams>;

/** What an admin reads about a flag. */
const flagWords: Record<OrderFlag, string> = {
  notice_held:
    'PayPal sent a message about this order that failed a check. It doesn’t count until you’ve reviewed it.',
  paid_after_cancel:
    'A payment arrived after the order was cancelled. Deliver the order, or refund it at PayPal.',
  paid_twice: 'The order was paid twice. Refund one of the payments at PayPal.',
  override_disagrees: 'PayPal and the payment status set by an admin disagree.',
  refunded: 'The payment was refunded.',
  disputed: 'The payment is disputed: PayPal took money back. Respond at PayPal.',
  unverified:
    'PayPal hasn’t confirmed a message about this order, or denies having sent it. It changed nothing: check at PayPal whether the customer paid.',
  case_opened: 'The buyer opened a case at PayPal. Respond there.',
  acceptance_needed:
    'A payment is pending until you accept or deny it at PayPal, for example because of its currency.',
  account_deleted:
    'A payment arrived for an order whose customer has deleted their account. Refund it at PayPal, or keep it for work already agreed.',
};

const isFlag = (flag: string): flag is OrderFlag => Object.hasOwn(flagWords, flag);
const wordsOf = (flag: string) => (isFlag(flag) ? flagWords[flag] : flag);

const orderFacts = ({ orderId, packageName, price, orderDate }: OrderParams): Part =>
  facts(
    ['Package', packageName],
    ['Price', `$${price}`],
    ['Order date', orderDate],
    ['Order number', orderId],
  );

const ofAnOrder = ({ name }: Brand) => `You’re receiving this e-mail because you placed an order at ${name}.`;
const ofAnAdmin = ({ name }: Brand) => `You’re receiving this e-mail because you’re an admin of ${name}.`;

type Written = Omit<Letter, 'parts'> & { words: string; after: readonly Part[] };

function orderNotice(
  write: (order: OrderParams, brand: Brand) => Omit<Written, 'reason'> & { reason?: string },
) {
  return (params: unknown, brand: Brand): Written => {
    const order = orderParams.parse(params);
    return { reason: ofAnOrder(brand), ...write(order, brand) };
  };
}

/** Why the order counts as paid decides what the customer reads. */
function paidWords({
  name,
  packageName,
  price,
}: OrderParams): Record<PaidReason, Omit<Written, 'reason' | 'after'>> {
  return {
    payment: {
      subject: `Payment received: ${packageName}`,
      preheader: `$${price}. We’re starting work.`,
      heading: 'We’ve received your payment',
      words: `Thank you, ${name}. PayPal has confirmed your payment, and we’re starting work.`,
    },
    payment_after_cancel: {
      subject: `Payment received: ${packageName}`,
      preheader: 'It arrived after the order was cancelled.',
      heading: 'We’ve received your payment',
      words: `${name}, PayPal has confirmed your payment, but it arrived after the order was cancelled. We’ll contact you to agree whether to start work or to refund it.`,
    },
    admin: {
      subject: `Order marked as paid: ${packageName}`,
      preheader: `$${price}. We’re starting work.`,
      heading: 'Your order is marked as paid',
      words: `Thank you, ${name}. We’ve marked your order as paid, and we’re starting work.`,
    },
    dispute_closed: {
      subject: `Dispute closed: ${packageName}`,
      preheader: 'Your payment stands.',
      heading: 'The dispute is closed',
      words: `${name}, PayPal has closed the dispute about this order. Your payment stands, and the order is active again.`,
    },
  };
}

/** One sentence, true also for money that came, or is on its way, although the order was cancelled. */
function whatBecameOfMoney({ money }: OrderParams): string {
  const states = money?.payments ?? [];
  if (money?.paymentHold || states.includes('pending')) {
    return 'A payment for it is still being processed. If it goes through, we’ll contact you.';
  }
  return states.includes('received') || states.includes('partially_refunded')
    ? 'We’ve received a payment for it and will contact you about it.'
    : 'We haven’t received a payment for it.';
}

/** The built-in words of the notices. */
const builtIn: Record<Exclude<Notice, 'newSignIn'>, (params: unknown, brand: Brand) => Written> = {
  orderPlaced: orderNotice((order, { name, siteUrl }) => ({
    subject: `Order received: ${order.packageName} at ${name}`,
    preheader: 'Pay on our site and we’ll start work.',
    heading: 'We’ve received your order',
    words: `Thank you, ${order.name}. We’ve received your order. We’ll start work as soon as you’ve paid.`,
    after: [orderFacts(order), button('Pay for this order', `${siteUrl}/pay-now/${order.orderId}`)],
  })),
  orderPaid: orderNotice((order, { siteUrl }) => ({
    ...paidWords(order)[order.reason],
    after: [orderFacts(order), button('See your orders', `${siteUrl}/my-order`)],
  })),
  orderCancelled: orderNotice((order, { siteUrl }) => ({
    subject: `Order cancelled: ${order.packageName}`,
    preheader: whatBecameOfMoney(order),
    heading: 'Your order is cancelled',
    words: `${order.cancelledBy === 'admin' ? 'We cancelled this order.' : 'You cancelled this order.'} ${whatBecameOfMoney(order)} You can place a new order at any time.`,
    after: [orderFacts(order), button('See packages', `${siteUrl}/pricing`)],
  })),
  orderRefunded: orderNotice((order, { siteUrl }) => ({
    subject: `Refunded: ${order.packageName}`,
    preheader: 'PayPal returns the money the way you paid.',
    heading: 'Your payment was refunded',
    words: 'Your payment for this order was refunded in full. PayPal returns the money the way you paid.',
    after: [orderFacts(order), button('See your orders', `${siteUrl}/my-order`)],
  })),
  orderPartlyRefunded: orderNotice((order, { siteUrl }) => ({
    subject: `Refund: ${order.packageName}`,
    preheader: `$${order.amount}. PayPal returns it the way you paid.`,
    heading: 'You’ve received a refund',
    words: `We refunded $${order.amount} for this order. PayPal returns the money the way you paid.`,
    after: [
      facts(['Refunded now', `$${order.amount}`], ['Refunded in total', `$${order.money?.refunded}`]),
      orderFacts(order),
      button('See your orders', `${siteUrl}/my-order`),
    ],
  })),
  orderPaidTwice: orderNotice((order, { siteUrl }) => ({
    subject: `We received a second payment: ${order.packageName}`,
    preheader: 'You only need to pay once.',
    heading: 'We received a second payment',
    words:
      'PayPal sent us more than one payment for this order. You only need to pay once: we’ll check it and refund the extra payment.',
    after: [orderFacts(order), button('See your order', `${siteUrl}/pay-now/${order.orderId}`)],
  })),
  orderPaymentFailed: orderNotice((order, { siteUrl }) => ({
    subject: `Payment failed: ${order.packageName}`,
    preheader: 'No money was taken.',
    heading: 'Your payment didn’t go through',
    words: `PayPal couldn’t complete your pending payment, and no money was taken.${order.money?.payable ? ' You can try again, for example with another card.' : ''}`,
    after: [
      orderFacts(order),
      order.money?.payable
        ? button('Pay for this order', `${siteUrl}/pay-now/${order.orderId}`)
        : button('See your orders', `${siteUrl}/my-order`),
    ],
  })),
  orderDelivered: orderNotice((order, { siteUrl }) => ({
    subject: `Delivered: ${order.packageName}`,
    preheader: 'Your order is complete.',
    heading: 'Your order is delivered',
    words: `We’ve finished the work on your order, ${order.name}. Thank you for choosing us.`,
    after: [orderFacts(order), button('See your orders', `${siteUrl}/my-order`)],
  })),
  paymentFlagged: orderNotice((order, brand) => ({
    subject: `Payment needs attention: order of ${order.name || 'a deleted account'}`,
    preheader: wordsOf(order.flags[0] ?? 'Please check this order.'),
    heading: 'A payment needs your attention',
    words: order.flags.map(wordsOf).join('\n'),
    after: [
      facts(['Customer', order.name || 'Deleted account'], ['E-mail', order.email || 'None']),
      orderFacts(order),
      button('Review the order', `${brand.siteUrl}/admin/payment-status/${order.orderId}`),
    ],
    reason: ofAnAdmin(brand),
  })),
  messageReceived: (params, brand) => {
    const message = messageParams.parse(params);
    return {
      subject: `New message: ${message.subject}`,
      preheader: `From ${message.name}`,
      heading: 'You have a new message',
      words: 'Someone sent a message through the contact form. Reply to this e-mail to answer them.',
      after: [
        facts(['From', message.name], ['E-mail', message.emailAddress], ['Subject', message.subject]),
        { kind: 'quote', text: message.message },
        button('Open in the admin panel', `${brand.siteUrl}/view/${message.messageId}`),
      ],
      reason: ofAnAdmin(brand),
    };
  },
};

/** A notice, in the admin's words where there are some. */
export function noticeLetter(notice: keyof typeof builtIn, params: unknown, brand: Brand): Letter {
  const { words, after, ...letter } = builtIn[notice](params, brand);
  const own = brand.words?.get(notice);
  const filled = (template: string) => fill(template, params as Record<string, unknown>);
  return {
    ...letter,
    ...(own?.subject && { subject: filled(own.subject) }),
    parts: [text(own?.text ? filled(own.text) : words), ...after],
  };
}

const confirmationParams = z.object({
  link: z.url(),
  expiresAt: z.iso.datetime(),
  consent: z.string().default(newsletterConsent),
});

/** Asks whether the newsletter is wanted. Nothing in it is of whoever typed the address. */
export function confirmationLetter(params: unknown, brand: Brand): Letter {
  const { link, expiresAt, consent } = confirmationParams.parse(params);
  const own = brand.words?.get('confirmSubscription');
  return {
    subject: own?.subject || `Confirm your subscription to the ${brand.name} newsletter`,
    preheader: 'Click the link to confirm your subscription.',
    heading: 'Confirm your subscription',
    parts: [
      text(own?.text || `We received a request to send the ${brand.name} newsletter to this address.`),
      { kind: 'quote', text: consent },
      button('Confirm subscription', link),
      text(
        `You can use this link once, until ${moment(expiresAt)}. If this wasn’t you, you can ignore this e-mail. We won’t send you the newsletter unless you confirm.`,
      ),
    ],
    reason: `You’re receiving this e-mail because this address was entered at ${brand.name}.`,
  };
}

/** Puts in what `{name}` and the like stand for; what stands for nothing stays as it is typed. */
function fill(template: string, params: Record<string, unknown>): string {
  return template.replace(/\{(orderId|packageName|price|name)\}/g, (typed, key: string) => {
    const value = params[key];
    return typeof value === 'string' ? value : typed;
  });
}
