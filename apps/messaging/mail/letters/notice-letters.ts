import { z } from 'zod';
import { newsletterConsent, type Notice } from '#libs/contracts';
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
});
const messageParams = z.object({
  messageId: z.string(),
  name: z.string(),
  emailAddress: z.string(),
  subject: z.string(),
  message: z.string(),
});
type OrderParams = z.output<typeof orderParams>;

/** What an admin reads of a flag. */
const flagWords: Record<string, string> = {
  notice_held: 'A notice of PayPal did not pass a check.',
  paid_after_cancel: 'Money came after the customer had cancelled.',
  paid_twice: 'It was paid twice. Refund one of the two at PayPal.',
  override_disagrees: 'PayPal and an override of an admin say different things.',
  refunded: 'Money was refunded.',
  disputed: 'The customer disputes the payment.',
  unverified: 'A notice of PayPal could not be verified for hours.',
};

const orderFacts = ({ orderId, packageName, price, orderDate }: OrderParams): Part =>
  facts(['Package', packageName], ['Price', `$${price}`], ['Ordered', orderDate], ['Order', orderId]);

const ofAnOrder = ({ name }: Brand) => `You get this mail because you placed an order at ${name}.`;
const ofAnAdmin = ({ name }: Brand) => `You get this mail because you are an admin of ${name}.`;

type Written = Omit<Letter, 'parts'> & { words: string; after: readonly Part[] };

function orderNotice(
  write: (order: OrderParams, brand: Brand) => Omit<Written, 'reason'> & { reason?: string },
) {
  return (params: unknown, brand: Brand): Written => {
    const order = orderParams.parse(params);
    return { reason: ofAnOrder(brand), ...write(order, brand) };
  };
}

/** The built-in words of the notices. */
const builtIn: Record<Exclude<Notice, 'newSignIn'>, (params: unknown, brand: Brand) => Written> = {
  orderPlaced: orderNotice((order, { name, siteUrl }) => ({
    subject: `Your order at ${name}: ${order.packageName}`,
    preheader: 'We have it. It is paid for on the site.',
    heading: 'We have your order',
    words: `Thank you, ${order.name}. Your order is with us and waits for your payment.`,
    after: [orderFacts(order), button('Pay for this order', `${siteUrl}/pay-now/${order.orderId}`)],
  })),
  orderPaid: orderNotice((order, { siteUrl }) => ({
    subject: `Payment received: ${order.packageName}`,
    preheader: `$${order.price}. We start now.`,
    heading: 'Your payment is here',
    words: `Thank you, ${order.name}. PayPal has confirmed your payment, and we start.`,
    after: [orderFacts(order), button('See your orders', `${siteUrl}/my-order`)],
  })),
  orderCancelled: orderNotice((order, { siteUrl }) => ({
    subject: `Order cancelled: ${order.packageName}`,
    preheader: 'Nothing was charged.',
    heading: 'Your order is cancelled',
    words: 'You have cancelled this order. Nothing was charged. You can order anew at any time.',
    after: [orderFacts(order), button('See the packages', `${siteUrl}/pricing`)],
  })),
  orderRefunded: orderNotice((order, { siteUrl }) => ({
    subject: `Refunded: ${order.packageName}`,
    preheader: 'The money is on its way back through PayPal.',
    heading: 'Your payment was refunded',
    words: 'Your payment for this order was refunded in full. PayPal gives it back the way it came.',
    after: [orderFacts(order), button('See your orders', `${siteUrl}/my-order`)],
  })),
  orderDelivered: orderNotice((order, { siteUrl }) => ({
    subject: `Delivered: ${order.packageName}`,
    preheader: 'Your order is done.',
    heading: 'Your order is delivered',
    words: `The work of your order is done, ${order.name}. Thank you for it.`,
    after: [orderFacts(order), button('See your orders', `${siteUrl}/my-order`)],
  })),
  paymentFlagged: orderNotice((order, brand) => ({
    subject: `Payment needs attention: order of ${order.name}`,
    preheader: flagWords[order.flags[0] ?? ''] ?? 'Please look at this order.',
    heading: 'A payment needs your attention',
    words: order.flags.map((flag) => flagWords[flag] ?? flag).join('\n'),
    after: [
      facts(['Customer', order.name], ['E-mail', order.email]),
      orderFacts(order),
      button('Look at the order', `${brand.siteUrl}/admin/payment-status/${order.orderId}`),
    ],
    reason: ofAnAdmin(brand),
  })),
  messageReceived: (params, brand) => {
    const message = messageParams.parse(params);
    return {
      subject: `New message: ${message.subject}`,
      preheader: `From ${message.name}`,
      heading: 'A new message',
      words: 'Somebody wrote through the contact form. Answering this mail answers them.',
      after: [
        facts(['From', message.name], ['E-mail', message.emailAddress], ['Subject', message.subject]),
        { kind: 'quote', text: message.message },
        button('Open it in the admin area', `${brand.siteUrl}/view/${message.messageId}`),
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
    subject: own?.subject || `Confirm the newsletter of ${brand.name}`,
    preheader: 'One click more, and it comes to you.',
    heading: 'Do you want our newsletter?',
    parts: [
      text(own?.text || `This address was entered for the newsletter of ${brand.name}.`),
      { kind: 'quote', text: consent },
      button('Confirm the newsletter', link),
      text(
        `The link works once, until ${moment(expiresAt)}. If this wasn't you, you can leave this mail alone: without the link you get no newsletter.`,
      ),
    ],
    reason: `You get this mail because this address was entered at ${brand.name}.`,
  };
}

/** Puts in what `{name}` and the like stand for; what stands for nothing stays as it is typed. */
function fill(template: string, params: Record<string, unknown>): string {
  return template.replace(/\{(orderId|packageName|price|name)\}/g, (typed, key: string) => {
    const value = params[key];
    return typeof value === 'string' ? value : typed;
  });
}
