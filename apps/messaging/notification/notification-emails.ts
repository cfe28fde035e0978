import { z } from 'zod';
import {
  cancelledBy,
  type NotificationEmail,
  type OrderFlag,
  paidReason,
  type PaidReason,
  paymentProvider,
} from '#libs/contracts';
import { type Block, button, details, type EmailContent, text } from '../mail/email-content.js';
import type { MailTemplate } from '../mail/mail-template.js';
import type { Brand } from '../site/brand.js';

const orderParams = z.object({
  orderId: z.string(),
  name: z.string(),
  email: z.string(),
  packageName: z.string(),
  /** In dollars, as ordered. */
  price: z.string(),
  orderDate: z.string(),
  flags: z.array(z.string()).default([]),
  /** Why the order became Paid. */
  reason: paidReason.default('payment'),
  /** Who cancelled the order; null if no person did. */
  cancelledBy: cancelledBy.nullable().default(null),
  /** The amount of this refund, in dollars. */
  amount: z.string().optional(),
  /** The state of the payment when the mail was queued. */
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

/** The name of the payment provider. */
const provider = paymentProvider.label;

/** What each flag means, for admins. */
const flagTexts: Record<OrderFlag, string> = {
  notice_held: `${provider} sent a message about this order that failed a check. It doesn’t count until you’ve reviewed it.`,
  paid_after_cancel: `A payment arrived after the order was cancelled. Deliver the order, or refund it at ${provider}.`,
  paid_twice: `The order was paid twice. Refund one of the payments at ${provider}.`,
  override_disagrees: `${provider} and the payment status set by an admin disagree.`,
  refunded: 'The payment was refunded.',
  disputed: `The payment is disputed: ${provider} took money back. Respond at ${provider}.`,
  unverified: `${provider} hasn’t confirmed a message about this order, or denies having sent it. It changed nothing: check at ${provider} whether the customer paid.`,
  case_opened: `The buyer opened a case at ${provider}. Respond there.`,
  acceptance_needed: `A payment is pending until you accept or deny it at ${provider}, for example because of its currency.`,
  account_deleted: `A payment arrived for an order whose customer has deleted their account. Refund it at ${provider}, or keep it for work already agreed.`,
};

const isFlag = (flag: string): flag is OrderFlag => Object.hasOwn(flagTexts, flag);
const flagText = (flag: string) => (isFlag(flag) ? flagTexts[flag] : flag);

const orderDetails = ({ orderId, packageName, price, orderDate }: OrderParams): Block =>
  details(
    ['Package', packageName],
    ['Price', `$${price}`],
    ['Order date', orderDate],
    ['Order number', orderId],
  );

const customerReason = ({ name }: Brand) =>
  `You’re receiving this e-mail because you placed an order at ${name}.`;
const adminReason = ({ name }: Brand) => `You’re receiving this e-mail because you’re an admin of ${name}.`;

/** Admins can replace `text`, and the subject; the blocks that follow it stay. */
type NotificationContent = Omit<EmailContent, 'blocks'> & { text: string; blocksAfter: readonly Block[] };

function orderNotification(
  write: (order: OrderParams, brand: Brand) => Omit<NotificationContent, 'reason'> & { reason?: string },
) {
  return (params: unknown, brand: Brand): NotificationContent => {
    const order = orderParams.parse(params);
    return { reason: customerReason(brand), ...write(order, brand) };
  };
}

/** What the customer reads depends on why the order counts as paid. */
function orderPaidContent({
  name,
  packageName,
  price,
}: OrderParams): Record<PaidReason, Omit<NotificationContent, 'reason' | 'blocksAfter'>> {
  return {
    payment: {
      subject: `Payment received: ${packageName}`,
      preheader: `$${price}. We’re starting work.`,
      heading: 'We’ve received your payment',
      text: `Thank you, ${name}. ${provider} has confirmed your payment, and we’re starting work.`,
    },
    payment_after_cancel: {
      subject: `Payment received: ${packageName}`,
      preheader: 'It arrived after the order was cancelled.',
      heading: 'We’ve received your payment',
      text: `${name}, ${provider} has confirmed your payment, but it arrived after the order was cancelled. We’ll contact you to agree whether to start work or to refund it.`,
    },
    admin: {
      subject: `Order marked as paid: ${packageName}`,
      preheader: `$${price}. We’re starting work.`,
      heading: 'Your order is marked as paid',
      text: `Thank you, ${name}. We’ve marked your order as paid, and we’re starting work.`,
    },
    dispute_closed: {
      subject: `Dispute closed: ${packageName}`,
      preheader: 'Your payment stands.',
      heading: 'The dispute is closed',
      text: `${name}, ${provider} has closed the dispute about this order. Your payment stands, and the order is active again.`,
    },
  };
}

/** One sentence, which is also true of money that arrived, or is on its way, although the order was cancelled. */
function paymentOfCancelled({ money }: OrderParams): string {
  const states = money?.payments ?? [];
  if (money?.paymentHold || states.includes('pending')) {
    return 'A payment for it is still being processed. If it goes through, we’ll contact you.';
  }
  return states.includes('received') || states.includes('partially_refunded')
    ? 'We’ve received a payment for it and will contact you about it.'
    : 'We haven’t received a payment for it.';
}

export type NotificationName = Exclude<NotificationEmail, 'newSignIn'>;

const builtIn: Record<NotificationName, (params: unknown, brand: Brand) => NotificationContent> = {
  orderPlaced: orderNotification((order, { name, siteUrl }) => ({
    subject: `Order received: ${order.packageName} at ${name}`,
    preheader: 'Pay on our site and we’ll start work.',
    heading: 'We’ve received your order',
    text: `Thank you, ${order.name}. We’ve received your order. We’ll start work as soon as you’ve paid.`,
    blocksAfter: [orderDetails(order), button('Pay for this order', `${siteUrl}/pay-now/${order.orderId}`)],
  })),
  orderPaid: orderNotification((order, { siteUrl }) => ({
    ...orderPaidContent(order)[order.reason],
    blocksAfter: [orderDetails(order), button('See your orders', `${siteUrl}/my-order`)],
  })),
  orderCancelled: orderNotification((order, { siteUrl }) => ({
    subject: `Order cancelled: ${order.packageName}`,
    preheader: paymentOfCancelled(order),
    heading: 'Your order is cancelled',
    text: `${order.cancelledBy === 'admin' ? 'We cancelled this order.' : 'You cancelled this order.'} ${paymentOfCancelled(order)} You can place a new order at any time.`,
    blocksAfter: [orderDetails(order), button('See packages', `${siteUrl}/pricing`)],
  })),
  orderRefunded: orderNotification((order, { siteUrl }) => ({
    subject: `Refunded: ${order.packageName}`,
    preheader: `${provider} returns the money the way you paid.`,
    heading: 'Your payment was refunded',
    text: `Your payment for this order was refunded in full. ${provider} returns the money the way you paid.`,
    blocksAfter: [orderDetails(order), button('See your orders', `${siteUrl}/my-order`)],
  })),
  orderPartlyRefunded: orderNotification((order, { siteUrl }) => ({
    subject: `Refund: ${order.packageName}`,
    preheader: `$${order.amount}. ${provider} returns it the way you paid.`,
    heading: 'You’ve received a refund',
    text: `We refunded $${order.amount} for this order. ${provider} returns the money the way you paid.`,
    blocksAfter: [
      details(['Refunded now', `$${order.amount}`], ['Refunded in total', `$${order.money?.refunded}`]),
      orderDetails(order),
      button('See your orders', `${siteUrl}/my-order`),
    ],
  })),
  orderPaidTwice: orderNotification((order, { siteUrl }) => ({
    subject: `We received a second payment: ${order.packageName}`,
    preheader: 'You only need to pay once.',
    heading: 'We received a second payment',
    text: `${provider} sent us more than one payment for this order. You only need to pay once: we’ll check it and refund the extra payment.`,
    blocksAfter: [orderDetails(order), button('See your order', `${siteUrl}/pay-now/${order.orderId}`)],
  })),
  orderPaymentFailed: orderNotification((order, { siteUrl }) => ({
    subject: `Payment failed: ${order.packageName}`,
    preheader: 'No money was taken.',
    heading: 'Your payment didn’t go through',
    text: `${provider} couldn’t complete your pending payment, and no money was taken.${order.money?.payable ? ' You can try again, for example with another card.' : ''}`,
    blocksAfter: [
      orderDetails(order),
      order.money?.payable
        ? button('Pay for this order', `${siteUrl}/pay-now/${order.orderId}`)
        : button('See your orders', `${siteUrl}/my-order`),
    ],
  })),
  orderDelivered: orderNotification((order, { siteUrl }) => ({
    subject: `Delivered: ${order.packageName}`,
    preheader: 'Your order is complete.',
    heading: 'Your order is delivered',
    text: `We’ve finished the work on your order, ${order.name}. Thank you for choosing us.`,
    blocksAfter: [orderDetails(order), button('See your orders', `${siteUrl}/my-order`)],
  })),
  paymentFlagged: orderNotification((order, brand) => ({
    subject: `Payment needs attention: order of ${order.name || 'a deleted account'}`,
    preheader: flagText(order.flags[0] ?? 'Please check this order.'),
    heading: 'A payment needs your attention',
    text: order.flags.map(flagText).join('\n'),
    blocksAfter: [
      details(['Customer', order.name || 'Deleted account'], ['E-mail', order.email || 'None']),
      orderDetails(order),
      button('Review the order', `${brand.siteUrl}/admin/payment-status/${order.orderId}`),
    ],
    reason: adminReason(brand),
  })),
  messageReceived: (params, brand) => {
    const message = messageParams.parse(params);
    return {
      subject: `New message: ${message.subject}`,
      preheader: `From ${message.name}`,
      heading: 'You have a new message',
      text: 'Someone sent a message through the contact form. Reply to this e-mail to answer them.',
      blocksAfter: [
        details(['From', message.name], ['E-mail', message.emailAddress], ['Subject', message.subject]),
        { kind: 'quote', text: message.message },
        button('Open in the admin panel', `${brand.siteUrl}/view/${message.messageId}`),
      ],
      reason: adminReason(brand),
    };
  },
  /** It contains no text of the sender, who may have entered somebody else’s address. */
  messageAcknowledged: (_params, { name }) => ({
    subject: `We’ve received your message to ${name}`,
    preheader: 'We’ll reply by e-mail.',
    heading: 'Thanks, we’ve received your message',
    text: 'We’ll reply to this address as soon as we can.',
    blocksAfter: [text('If you didn’t write to us, you can ignore this e-mail.')],
    reason: `You’re receiving this e-mail because this address was entered in the contact form of ${name}.`,
  }),
};

function template(name: NotificationName): MailTemplate {
  return {
    priority: 1,
    secrets: [],
    write(params, brand) {
      const { text: builtInText, blocksAfter, ...content } = builtIn[name](params, brand);
      const custom = brand.customTexts?.get(name);
      const filled = (pattern: string) => fillIn(pattern, params as Record<string, unknown>);
      return {
        ...content,
        ...(custom?.subject && { subject: filled(custom.subject) }),
        blocks: [text(custom?.text ? filled(custom.text) : builtInText), ...blocksAfter],
      };
    },
  };
}

/** Replaces `{name}` and the other placeholders; unknown ones stay as they are typed. */
function fillIn(pattern: string, params: Record<string, unknown>): string {
  return pattern.replace(/\{(orderId|packageName|price|name)\}/g, (typed, key: string) => {
    const value = params[key];
    return typeof value === 'string' ? value : typed;
  });
}

/** The mails to customers and admins about what happened. */
export const notificationTemplates = Object.fromEntries(
  Object.keys(builtIn).map((name) => [name, template(name as NotificationName)]),
) as Record<NotificationName, MailTemplate>;
