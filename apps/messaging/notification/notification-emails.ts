import { z } from 'zod';
import {
  cancelledBy,
  formatOrderNumber,
  type NotificationEmail,
  type OrderFlag,
  paidReason,
  type PaidReason,
  paymentProvider,
} from '#libs/contracts';
import { utcDayInWords } from '#libs/runtime';
import {
  type CustomizableContent,
  type CustomizableEmail,
  customizableWriter,
} from '../mail/customizable-email.js';
import { type Block, button, details, preheaderFrom, quote, text } from '../mail/email-content.js';
import type { MailTemplate } from '../mail/mail-template.js';
import type { Brand } from '../site/brand.js';
import { planEmails } from './plan-emails.js';
import { projectEmails } from './project-emails.js';

const storedOrderParams = z.object({
  orderId: z.string(),
  /** Like `#1042`; missing in mails that an earlier release queued. */
  orderNumber: z.string().optional(),
  name: z.string(),
  email: z.string(),
  packageName: z.string(),
  /** In dollars, including added tax. */
  price: z.string(),
  /** The part of the price that was added as tax; missing if no tax was added. */
  addedTax: z.string().optional(),
  /** Whether payments get an invoice, and whether mails link to it or have it attached. */
  invoices: z.enum(['none', 'link', 'file']).default('none'),
  orderDate: z.string(),
  flags: z.array(z.string()).default([]),
  reason: paidReason.default('payment'),
  /** Who cancelled the order; null if no person did. */
  cancelledBy: cancelledBy.nullable().default(null),
  /** For a refund that did not make the order Cancelled: the amount of this refund, in dollars. */
  amount: z.string().optional(),
  /** For an order of a monthly plan: its cycle, the plan once it has begun, and when the cycle was charged. */
  renewal: z
    .object({ cycle: z.int(), subscriptionId: z.string().nullable(), chargedAt: z.string() })
    .nullable()
    .default(null),
  /** As it was when the mail was queued. `payments` has the state of each payment. */
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
export const orderParams = storedOrderParams.transform((params) => ({
  ...params,
  orderNumber: params.orderNumber ?? formatOrderNumber({ _id: params.orderId, number: null }),
}));
const messageParams = z.object({
  messageId: z.string(),
  name: z.string(),
  emailAddress: z.string(),
  subject: z.string(),
  message: z.string(),
});
export type OrderParams = z.output<typeof orderParams>;

export const provider = paymentProvider.label;

const flagTexts: Record<OrderFlag, string> = {
  notice_held: `We received a payment message from ${provider} for this order, but its details didn’t match, so we ignored it. See the order’s timeline.`,
  paid_after_cancel:
    'A payment arrived after the order or its monthly plan was cancelled. Deliver the order, or refund the payment.',
  paid_twice: 'The order was paid twice. Refund one of the payments.',
  override_disagrees: `${provider} and the payment status set by an admin disagree.`,
  refunded: 'The payment was refunded.',
  disputed: `The payment is disputed: ${provider} took money back. Respond at ${provider}.`,
  unverified: `We received a payment message for this order that ${provider} hasn’t confirmed, or says it didn’t send, so we haven’t acted on it. Check at ${provider} whether the customer paid.`,
  case_opened: `The customer opened a case at ${provider}. Respond there.`,
  acceptance_needed: `A payment is pending until you accept or deny it at ${provider}, for example because of its currency.`,
  account_deleted: `A payment arrived for an order whose customer has deleted their account. Refund it at ${provider}, or keep it for work already agreed.`,
};

const isFlag = (flag: string): flag is OrderFlag => Object.hasOwn(flagTexts, flag);
const flagText = (flag: string) => (isFlag(flag) ? flagTexts[flag] : flag);

export const orderDetails = ({ packageName, price, addedTax, orderDate, ...order }: OrderParams): Block =>
  details(
    ['Order number', order.orderNumber],
    ['Package', packageName],
    ['Price', addedTax === undefined ? `$${price}` : `$${price}, of which $${addedTax} is tax`],
    ['Order date', orderDate],
  );

const customerReason = ({ name }: Brand) =>
  `You’re receiving this e-mail because you placed an order at ${name}.`;
export const adminReason = ({ name }: Brand) =>
  `You’re receiving this e-mail because you’re an admin of ${name}.`;

const orderPlaceholders = {
  orderNumber: 'The order number, like #1042',
  name: 'The customer’s name',
  packageName: 'The package that was ordered',
  price: 'The price in dollars, like 290.00',
  orderId: 'The order’s long ID, as in the web address of its page',
};

const sampleOrder = {
  orderId: '019a5c1e-7d40-7b3a-9c55-2f1d8e6b4a01',
  orderNumber: '#1042',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  packageName: 'Premium',
  price: '490.00',
  orderDate: '11/21/2026',
  amount: '90.00',
  flags: ['paid_twice'],
  money: { paymentStatus: 'UnPaid', payments: [], paymentHold: null, refunded: '90.00', payable: true },
};

interface OrderEmailSource extends Pick<CustomizableEmail, 'occasion' | 'wording'> {
  placeholders?: CustomizableEmail['placeholders'];
  write(
    order: OrderParams,
    brand: Brand,
  ): Omit<CustomizableContent, 'footerReason' | 'values'> &
    Partial<Pick<CustomizableContent, 'footerReason' | 'values'>>;
}

function orderEmail({ placeholders, write, ...rest }: OrderEmailSource): CustomizableEmail {
  return {
    ...rest,
    placeholders: { ...orderPlaceholders, ...placeholders },
    sampleParams: sampleOrder,
    write(params, brand) {
      const order = orderParams.parse(params);
      const { name, packageName, price, orderId, orderNumber } = order;
      const { values, ...content } = write(order, brand);
      return {
        footerReason: customerReason(brand),
        ...content,
        values: { name, packageName, price, orderId, orderNumber, ...values },
      };
    },
  };
}

interface PaidWords {
  paymentTitle: string;
  preheader: string;
  heading: string;
  paymentNote: string;
  refersToProject?: boolean;
}

/** Whether the order is for a later charge of a monthly plan. The customer placed only the order of the first charge. */
export const isRenewal = <R extends { cycle: number }>(order: {
  renewal: R | null;
}): order is { renewal: R } => order.renewal !== null && order.renewal.cycle > 1;

function paidWords(order: OrderParams): PaidWords {
  const { price, packageName, reason } = order;
  if (isRenewal(order) && reason === 'payment') {
    return {
      paymentTitle: 'Monthly plan renewed',
      preheader: `$${price} for another month.`,
      heading: 'Your monthly plan was renewed',
      paymentNote: `Your monthly plan ${packageName} was renewed: ${provider} charged $${price} on ${utcDayInWords(order.renewal.chargedAt)}. Your plan shows the date of the next charge.`,
    };
  }
  const byReason: Record<PaidReason, PaidWords> = {
    payment: {
      paymentTitle: 'Payment received',
      preheader: `$${price}. Your project shows what comes next.`,
      heading: 'We’ve received your payment',
      paymentNote: `${provider} has confirmed your payment. Your project shows what comes next.`,
      refersToProject: true,
    },
    payment_after_cancel: {
      paymentTitle: 'Payment received',
      preheader: 'It arrived after the order was cancelled.',
      heading: 'We’ve received your payment',
      paymentNote: `${provider} has confirmed your payment, but it arrived after the order was cancelled. We’ll contact you to agree whether to start work or to refund it.`,
    },
    admin: {
      paymentTitle: 'Order marked as paid',
      preheader: `$${price}. Your project shows what comes next.`,
      heading: 'Your order is marked as paid',
      paymentNote: 'We’ve marked your order as paid. Your project shows what comes next.',
      refersToProject: true,
    },
    dispute_closed: {
      paymentTitle: 'Dispute closed',
      preheader: 'Your payment stands.',
      heading: 'The dispute is closed',
      paymentNote: `${provider} has closed the dispute about this order. Your payment stands, and the order is active again.`,
    },
  };
  return byReason[reason];
}

function paymentNoteOfCancelled({ money }: OrderParams): string {
  const states = money?.payments ?? [];
  if (money?.paymentHold || states.includes('pending')) {
    return 'A payment for this order is still being processed. If it goes through, we’ll contact you.';
  }
  return states.includes('received') || states.includes('partially_refunded')
    ? 'We’ve received a payment for this order and will contact you.'
    : 'We haven’t received a payment for this order.';
}

const planButton = (subscriptionId: string, { siteUrl }: Brand) =>
  button('See your monthly plan', `${siteUrl}/monthly-plan/${subscriptionId}`);
const ordersButton = ({ siteUrl }: Brand) => button('See your orders', `${siteUrl}/my-order`);
/** A link to projects leads to their list, because the order's project may not have been opened yet. */
function afterPaymentBlocks(order: OrderParams, refersToProject: boolean, brand: Brand): Block[] {
  const projects = `${brand.siteUrl}/projects`;
  const planId = order.renewal?.subscriptionId;
  if (!planId) return [refersToProject ? button('See your projects', projects) : ordersButton(brand)];
  return [
    ...(refersToProject ? [text(`You’ll find your project under Projects: ${projects}`)] : []),
    planButton(planId, brand),
  ];
}
/** Mails with an attached invoice say this, too, because they are sent without the attachment if the invoice is late. */
function invoiceBlocks({ invoices }: OrderParams, { siteUrl }: Brand): Block[] {
  return invoices === 'none' ? [] : [text(`You’ll find the invoice under Invoices: ${siteUrl}/my-invoices`)];
}

const payButton = ({ orderId }: OrderParams, { siteUrl }: Brand) =>
  button('Pay for this order', `${siteUrl}/pay-now/${orderId}`);

/** `newSignIn` can be customized, too, but identity requests it: it is in `account-emails.ts`. */
export type CustomizableNotification = Exclude<NotificationEmail, 'newSignIn'>;

export const customizableNotificationEmails: Readonly<Record<CustomizableNotification, CustomizableEmail>> = {
  orderPlaced: orderEmail({
    occasion: 'To the customer, after they place an order',
    wording: {
      subject: 'Order {orderNumber} received: {packageName} at {siteName}',
      text: 'Thank you, {name}. We’ve received your order {orderNumber}. We’ll open your project as soon as you’ve paid.',
    },
    write: (order, brand) => ({
      preheader: 'Pay on our site and we’ll open your project.',
      heading: 'We’ve received your order',
      blocksAfter: [orderDetails(order), payButton(order, brand)],
    }),
  }),
  orderPaid: orderEmail({
    occasion: 'To the customer, when an order becomes paid',
    wording: {
      subject: '{paymentTitle}: order {orderNumber}, {packageName}',
      text: 'Thank you, {name}. {paymentNote}',
    },
    placeholders: {
      paymentTitle: 'Payment received, Monthly plan renewed, Order marked as paid, or Dispute closed',
      paymentNote: 'How the order was paid, and what happens next',
    },
    write(order, brand) {
      const { preheader, heading, refersToProject = false, ...values } = paidWords(order);
      return {
        preheader,
        heading,
        values,
        blocksAfter: [
          orderDetails(order),
          ...invoiceBlocks(order, brand),
          ...afterPaymentBlocks(order, refersToProject, brand),
        ],
      };
    },
  }),
  orderCancelled: orderEmail({
    occasion: 'To the customer, when an order is cancelled',
    wording: {
      subject: 'Order {orderNumber} cancelled: {packageName}',
      text: '{cancelNote} {paymentNote} You can place a new order at any time.',
    },
    placeholders: {
      cancelNote: 'Who cancelled the order: the customer or you',
      paymentNote: 'Whether a payment has arrived',
    },
    write: (order, { siteUrl }) => ({
      preheader: paymentNoteOfCancelled(order),
      heading: 'Your order is cancelled',
      values: {
        cancelNote: `${order.cancelledBy === 'admin' ? 'We' : 'You'} cancelled order ${order.orderNumber}.`,
        paymentNote: paymentNoteOfCancelled(order),
      },
      blocksAfter: [orderDetails(order), button('See plans', `${siteUrl}/pricing`)],
    }),
  }),
  orderRefunded: orderEmail({
    occasion: 'To the customer, when a payment is refunded in full',
    wording: {
      subject: 'Refunded: order {orderNumber}, {packageName}',
      text: `Your payment for order {orderNumber} was refunded in full. ${provider} returns the money to your original payment method.`,
    },
    write: (order, brand) => ({
      preheader: `${provider} returns the money to your original payment method.`,
      heading: 'Your payment was refunded',
      blocksAfter: [orderDetails(order), ordersButton(brand)],
    }),
  }),
  orderPartlyRefunded: orderEmail({
    occasion: 'To the customer, when money is refunded but the order isn’t cancelled',
    wording: {
      subject: 'Refund: order {orderNumber}, {packageName}',
      text: `We refunded \${amount} for order {orderNumber}. ${provider} returns the money to your original payment method.`,
    },
    placeholders: { amount: 'The amount of this refund in dollars, like 90.00' },
    write: (order, brand) => ({
      preheader: `$${order.amount}. ${provider} returns it to your original payment method.`,
      heading: 'You’ve received a refund',
      values: { amount: order.amount ?? '' },
      blocksAfter: [
        details(['Refunded now', `$${order.amount}`], ['Refunded in total', `$${order.money?.refunded}`]),
        orderDetails(order),
        ordersButton(brand),
      ],
    }),
  }),
  orderPaidTwice: orderEmail({
    occasion: 'To the customer, when an order is paid a second time',
    wording: {
      subject: 'We received a second payment: order {orderNumber}, {packageName}',
      text: `${provider} sent us more than one payment for order {orderNumber}. You only need to pay once: we’ll check it and refund the extra payment.`,
    },
    write: (order, { siteUrl }) => ({
      preheader: 'You only need to pay once.',
      heading: 'We received a second payment',
      blocksAfter: [orderDetails(order), button('See your order', `${siteUrl}/pay-now/${order.orderId}`)],
    }),
  }),
  orderPaymentFailed: orderEmail({
    occasion: 'To the customer, when a pending payment fails',
    wording: {
      subject: 'Payment failed: order {orderNumber}, {packageName}',
      text: `${provider} couldn’t complete your pending payment for order {orderNumber}, and no money was taken. {nextStep}`,
    },
    placeholders: { nextStep: 'A suggestion to pay again, if the order can still be paid' },
    write: (order, brand) => ({
      preheader: 'No money was taken.',
      heading: 'Your payment didn’t go through',
      values: { nextStep: order.money?.payable ? 'You can try again, for example with another card.' : '' },
      blocksAfter: [
        orderDetails(order),
        order.money?.payable ? payButton(order, brand) : ordersButton(brand),
      ],
    }),
  }),
  orderDelivered: orderEmail({
    occasion: 'To the customer, when you mark an order as delivered',
    wording: {
      subject: 'Order {orderNumber} delivered: {packageName}',
      text: 'We’ve finished the work on your order {orderNumber}, {name}. Thank you for choosing us.',
    },
    write: (order, brand) => ({
      preheader: 'Your order is complete.',
      heading: 'Your order is delivered',
      blocksAfter: [orderDetails(order), ordersButton(brand)],
    }),
  }),
  paymentFlagged: orderEmail({
    occasion: 'To admins, when a payment needs a decision',
    wording: { subject: 'Payment needs attention: order {orderNumber} of {name}', text: '{problems}' },
    placeholders: { problems: 'What happened, and what to do' },
    write: (order, brand) => ({
      preheader: preheaderFrom(flagText(order.flags[0] ?? 'Please check this order.')),
      heading: 'A payment needs your attention',
      values: { name: order.name || 'a deleted account', problems: order.flags.map(flagText).join('\n') },
      blocksAfter: [
        details(['Customer', order.name || 'Deleted account'], ['E-mail', order.email || 'None']),
        orderDetails(order),
        button('Review the order', `${brand.siteUrl}/admin/payment-status/${order.orderId}`),
      ],
      footerReason: adminReason(brand),
    }),
  }),
  ...planEmails,
  ...projectEmails,
  messageReceived: {
    occasion: 'To admins, when someone sends a message with the contact form',
    wording: {
      subject: 'New message: {subject}',
      text: 'Someone sent a message through the contact form. Reply to this e-mail to answer them.',
    },
    placeholders: { name: 'The sender’s name', subject: 'The subject of the message' },
    sampleParams: {
      messageId: '019a5c1e-7d40-7b3a-9c55-2f1d8e6b4a02',
      name: 'Ada Lovelace',
      emailAddress: 'ada@example.com',
      subject: 'A question about Premium',
      message: 'How soon could you start?',
    },
    write(params, brand) {
      const { messageId, name, emailAddress, subject, message } = messageParams.parse(params);
      return {
        preheader: `From ${name}`,
        heading: 'You have a new message',
        values: { name, subject },
        blocksAfter: [
          details(['From', name], ['E-mail', emailAddress], ['Subject', subject]),
          quote(message),
          button('Open in the admin panel', `${brand.siteUrl}/view/${messageId}`),
        ],
        footerReason: adminReason(brand),
      };
    },
  },
  /** It contains no text from the sender, who may have entered somebody else’s address. */
  messageAcknowledged: {
    occasion: 'To the sender of a message, at most once a day',
    wording: {
      subject: 'We’ve received your message to {siteName}',
      text: 'We’ll reply to this address as soon as we can.',
    },
    placeholders: {},
    sampleParams: {},
    write: (_params, { name }) => ({
      preheader: 'We’ll reply by e-mail.',
      heading: 'Thanks, we’ve received your message',
      values: {},
      blocksAfter: [text('If you didn’t write to us, you can ignore this e-mail.')],
      footerReason: `You’re receiving this e-mail because this address was entered in the contact form of ${name}.`,
    }),
  },
};

const template = (name: CustomizableNotification): MailTemplate => ({
  priority: 1,
  secrets: [],
  write: customizableWriter(name, customizableNotificationEmails[name]),
});

export const customizableNotificationTemplates = Object.fromEntries(
  Object.keys(customizableNotificationEmails).map((name) => [
    name,
    template(name as CustomizableNotification),
  ]),
) as Record<CustomizableNotification, MailTemplate>;
