import type { z } from 'zod';
import {
  formatOrderNumber,
  type NotificationEmail,
  paymentProvider,
  type PlanSubscription,
  planSubscriptionContract,
  type SubscriptionNews,
} from '#libs/contracts';
import { utcDayInWords } from '#libs/runtime';
import type { CustomizableContent, CustomizableEmail } from '../mail/customizable-email.js';
import { button, details } from '../mail/email-content.js';
import type { Brand } from '../site/brand.js';

export type PlanEmail = Extract<NotificationEmail, `plan${string}`>;

/** The mail about each kind of news, and whether the news still holds when the event arrives: the plan may have changed since. */
export const planNews: Readonly<
  Record<SubscriptionNews, { template: PlanEmail; holds(plan: PlanSubscription): boolean }>
> = {
  charge_failed: { template: 'planChargeFailed', holds: ({ state }) => state === 'past_due' },
  charge_failed_reminder: { template: 'planChargeReminder', holds: ({ state }) => state === 'past_due' },
  suspended: { template: 'planSuspended', holds: ({ state }) => state === 'suspended' },
  recovered: {
    template: 'planRecovered',
    holds: ({ state }) => !['past_due', 'suspended', 'ended'].includes(state),
  },
  cancelled: { template: 'planCancelled', holds: ({ state }) => state === 'ending' },
  resumed: {
    template: 'planResumed',
    holds: ({ state }) => !['suspended', 'paused', 'ending', 'ended'].includes(state),
  },
  paused: { template: 'planPaused', holds: ({ state }) => state === 'paused' },
  ended: { template: 'planEnded', holds: ({ state }) => state === 'ended' },
  price_change_announced: {
    template: 'planPriceAnnounced',
    holds: ({ change }) => change?.state === 'announced',
  },
  price_change_approvable: {
    template: 'planPriceApprovable',
    holds: ({ change }) => change?.state === 'announced',
  },
  change_approved: { template: 'planChangeApproved', holds: ({ change }) => change?.state === 'approved' },
};

export const planParams = planSubscriptionContract.getSubscriptionForService.output.pick({
  _id: true,
  customerName: true,
  customerEmail: true,
  packageName: true,
  price: true,
  priceWithTax: true,
  firstOrderId: true,
  firstOrderNumber: true,
  nextChargeAt: true,
  nextChargeAmount: true,
  graceEndsAt: true,
  retryAt: true,
  outstanding: true,
  endsOn: true,
  endReason: true,
  change: true,
  paymentMethodUrl: true,
  actions: true,
});
export type PlanParams = z.output<typeof planParams>;

const provider = paymentProvider.label;

const samplePlan: PlanParams = {
  _id: '019a5c1e-7d40-7b3a-9c55-2f1d8e6b4a03',
  customerName: 'Ada Lovelace',
  customerEmail: 'ada@example.com',
  packageName: 'Premium',
  price: '490.00',
  priceWithTax: '490.00',
  firstOrderId: '019a5c1e-7d40-7b3a-9c55-2f1d8e6b4a01',
  firstOrderNumber: 1042,
  nextChargeAt: '2026-12-21T10:00:00.000Z',
  nextChargeAmount: '490.00',
  graceEndsAt: '2026-12-31T10:00:00.000Z',
  retryAt: '2026-12-26T10:00:00.000Z',
  outstanding: '490.00',
  endsOn: '2026-12-21T10:00:00.000Z',
  endReason: 'customer',
  change: {
    packageName: 'Premium',
    price: '540.00',
    priceWithTax: '540.00',
    requestedBy: 'admin',
    state: 'announced',
    approvableFrom: '2026-12-22T10:00:00.000Z',
    appliesFrom: '2027-01-21T10:00:00.000Z',
  },
  paymentMethodUrl: 'https://payments.example/methods',
  actions: ['resume'],
};

export const withPricesIncludingTax = ({ change, ...plan }: PlanParams): PlanParams => ({
  ...plan,
  price: plan.priceWithTax ?? plan.price,
  change: change && { ...change, price: change.priceWithTax ?? change.price },
});

const planPlaceholders = {
  name: 'The customer’s name',
  packageName: 'The package of the plan',
  price: 'The monthly price in dollars, like 290.00',
  orderNumber: 'The number of the order that the plan began with, like #1042',
};

export const planDetails = ({ packageName, price, ...plan }: PlanParams, ...more: [string, string][]) =>
  details(
    ['Monthly plan', packageName],
    ['Price', `$${price} a month`],
    ['First order', firstOrderNumberOf(plan)],
    ...more,
  );

const firstOrderNumberOf = (plan: Pick<PlanParams, 'firstOrderId' | 'firstOrderNumber'>) =>
  formatOrderNumber({ _id: plan.firstOrderId, number: plan.firstOrderNumber });

interface PlanContent extends Pick<CustomizableContent, 'preheader' | 'heading'> {
  values?: CustomizableContent['values'];
  rows?: [string, string][];
  action?: CustomizableContent['blocksAfter'][number];
}

interface PlanEmailSource extends Pick<CustomizableEmail, 'occasion' | 'wording'> {
  placeholders?: CustomizableEmail['placeholders'];
  write(plan: PlanParams, brand: Brand): PlanContent;
}

function planEmail({ placeholders, write, ...rest }: PlanEmailSource): CustomizableEmail {
  return {
    ...rest,
    placeholders: { ...planPlaceholders, ...placeholders },
    sampleParams: samplePlan,
    write(params, brand) {
      const plan = withPricesIncludingTax(planParams.parse(params));
      const { customerName: name, packageName, price } = plan;
      const { values, rows = [], action, ...content } = write(plan, brand);
      const planButton = button('See your monthly plan', `${brand.siteUrl}/monthly-plan/${plan._id}`);
      return {
        ...content,
        values: { name, packageName, price, orderNumber: firstOrderNumberOf(plan), ...values },
        blocksAfter: [planDetails(plan, ...rows), ...(action ? [action] : []), planButton],
        footerReason: `You’re receiving this e-mail because you have a monthly plan at ${brand.name}.`,
      };
    },
  };
}

function unpaidContent(plan: PlanParams) {
  const { outstanding, graceEndsAt, retryAt, paymentMethodUrl } = plan;
  const amount = outstanding ?? plan.price;
  return {
    values: {
      amount,
      retryNote: retryAt
        ? `${provider} tries again on ${utcDayInWords(retryAt)}. To pay sooner, open your monthly plan and choose “Try payment again”.`
        : 'Then open your monthly plan and choose “Try payment again”.',
      serviceNote: graceEndsAt ? `Your service continues until ${utcDayInWords(graceEndsAt)}.` : '',
    },
    rows: [
      ['Amount due', `$${amount}`],
      ...(retryAt ? [['Next attempt', utcDayInWords(retryAt)]] : []),
      ...(graceEndsAt ? [['Service until', utcDayInWords(graceEndsAt)]] : []),
    ] as [string, string][],
    ...(paymentMethodUrl && { action: button(`Change payment method at ${provider}`, paymentMethodUrl) }),
  };
}

const unpaidPlaceholders = {
  amount: 'The amount that is due in dollars, like 290.00',
  retryNote: `When ${provider} tries the charge again, and how the customer can do so sooner`,
  serviceNote: 'Until when the service continues',
};

const nextChargeNote = ({ nextChargeAt, nextChargeAmount }: PlanParams) =>
  nextChargeAt && nextChargeAmount
    ? `The next charge is $${nextChargeAmount} on ${utcDayInWords(nextChargeAt)}.`
    : '';
const nextChargePlaceholder = { nextChargeNote: 'The amount and the date of the next charge' };

function cancelNote({ packageName, endReason }: PlanParams): string {
  if (endReason === 'provider') return `Your monthly plan ${packageName} was cancelled at ${provider}.`;
  return `${endReason === 'customer' ? 'You' : 'We'} cancelled your monthly plan ${packageName}.`;
}

function endNote({ packageName, endReason }: PlanParams): string {
  const ended = `Your monthly plan ${packageName} has ended`;
  if (endReason === 'unpaid') return `${ended} because we didn’t receive the payment.`;
  if (endReason === 'provider') return `${ended}: it was cancelled at ${provider}.`;
  return `${ended}.`;
}

function changeValues({ packageName, price, change }: PlanParams) {
  const day = (moment?: string) => (moment ? utcDayInWords(moment) : '');
  return {
    newPackageName: change?.packageName ?? packageName,
    newPrice: change?.price ?? price,
    appliesFrom: day(change?.appliesFrom),
    approvableFrom: day(change?.approvableFrom),
  };
}
const changePlaceholders = {
  newPrice: 'The new monthly price in dollars, like 320.00',
  appliesFrom: 'The date of the first charge at the new price',
  approvableFrom: 'The date from which the customer can approve the new price',
};

export const planEmails: Readonly<Record<PlanEmail, CustomizableEmail>> = {
  planChargeFailed: planEmail({
    occasion: 'To the customer, when a charge of a monthly plan fails',
    wording: {
      subject: 'Payment failed: your monthly plan {packageName}',
      text: `${provider} couldn’t charge \${amount} for your monthly plan {packageName}, {name}. Change your payment method at ${provider}, so that the next attempt succeeds. {retryNote}\n\n{serviceNote} If we haven’t received the payment by then, we’ll suspend your plan.`,
    },
    placeholders: unpaidPlaceholders,
    write: (plan) => ({
      preheader: `Change your payment method at ${provider} to keep your plan.`,
      heading: 'Your payment didn’t go through',
      ...unpaidContent(plan),
    }),
  }),
  planChargeReminder: planEmail({
    occasion: 'To the customer, three and seven days after a charge of a monthly plan failed',
    wording: {
      subject: 'Reminder: payment for your monthly plan {packageName} is due',
      text: `We still haven’t received \${amount} for your monthly plan {packageName}, {name}. Change your payment method at ${provider}, so that the next attempt succeeds. {retryNote}\n\n{serviceNote} If we haven’t received the payment by then, we’ll suspend your plan.`,
    },
    placeholders: unpaidPlaceholders,
    write: (plan) => ({
      preheader: unpaidContent(plan).values.serviceNote,
      heading: 'Your payment is still due',
      ...unpaidContent(plan),
    }),
  }),
  planSuspended: planEmail({
    occasion: 'To the customer, when a monthly plan is suspended because a charge wasn’t paid',
    wording: {
      subject: 'Your monthly plan {packageName} is suspended',
      text: `We haven’t received \${amount} for your monthly plan {packageName}, {name}, so we’ve stopped work on it. You won’t be charged for now.\n\nTo get your plan back, change your payment method at ${provider}, then open your monthly plan and choose “Try payment again”.`,
    },
    placeholders: { amount: unpaidPlaceholders.amount },
    write(plan) {
      const { values, ...rest } = unpaidContent(plan);
      return {
        ...rest,
        preheader: 'Pay the amount due to restart your plan.',
        heading: 'Your monthly plan is suspended',
        values: { amount: values.amount },
        rows: [['Amount due', `$${values.amount}`]],
      };
    },
  }),
  planRecovered: planEmail({
    occasion: 'To the customer, when a failed charge of a monthly plan is received after all',
    wording: {
      subject: 'Payment received: your monthly plan {packageName} continues',
      text: 'Thank you, {name}. We’ve received the payment that had failed, and your monthly plan {packageName} continues. {nextChargeNote}',
    },
    placeholders: nextChargePlaceholder,
    write: (plan) => ({
      preheader: 'There’s nothing more to do.',
      heading: 'Your monthly plan continues',
      values: { nextChargeNote: nextChargeNote(plan) },
    }),
  }),
  planCancelled: planEmail({
    occasion: 'To the customer, when a monthly plan is cancelled',
    wording: {
      subject: 'Your monthly plan {packageName} is cancelled',
      text: '{cancelNote} You won’t be charged again. {serviceNote} {resumeNote}',
    },
    placeholders: {
      cancelNote: `Who cancelled the plan, or that it was cancelled at ${provider}`,
      serviceNote: unpaidPlaceholders.serviceNote,
      resumeNote: 'How the customer can keep the plan, if that’s still possible',
    },
    write(plan) {
      const until = plan.endsOn ? utcDayInWords(plan.endsOn) : '';
      const serviceNote = until && `You’ve paid until ${until}, and your service continues until then.`;
      return {
        preheader: serviceNote || 'You won’t be charged again.',
        heading: 'Your monthly plan is cancelled',
        values: {
          cancelNote: cancelNote(plan),
          serviceNote,
          resumeNote: plan.actions.includes('resume')
            ? 'Changed your mind? Until then you can open your monthly plan and choose “Keep my plan”.'
            : '',
        },
        rows: until ? [['Service until', until]] : [],
      };
    },
  }),
  planResumed: planEmail({
    occasion: 'To the customer, when a cancellation is undone, or a paused monthly plan is resumed',
    wording: {
      subject: 'Your monthly plan {packageName} continues',
      text: 'Your monthly plan {packageName} renews every month again, {name}. {nextChargeNote}',
    },
    placeholders: nextChargePlaceholder,
    write: (plan) => ({
      preheader: nextChargeNote(plan),
      heading: 'Your monthly plan continues',
      values: { nextChargeNote: nextChargeNote(plan) },
    }),
  }),
  planPaused: planEmail({
    occasion: 'To the customer, when a monthly plan is paused',
    wording: {
      subject: 'Your monthly plan {packageName} is paused',
      text: 'Your monthly plan {packageName} is paused, {name}. Nothing is charged until it’s resumed, and we’ll e-mail you then.',
    },
    write: () => ({
      preheader: 'Nothing is charged until it’s resumed.',
      heading: 'Your monthly plan is paused',
    }),
  }),
  planEnded: planEmail({
    occasion: 'To the customer, when a monthly plan ends',
    wording: {
      subject: 'Your monthly plan {packageName} has ended',
      text: '{endNote} You won’t be charged again. You can order a plan again at any time.',
    },
    placeholders: { endNote: 'That the plan has ended, and why' },
    write: (plan, { siteUrl }) => ({
      preheader: 'You won’t be charged again.',
      heading: 'Your monthly plan has ended',
      values: { endNote: endNote(plan) },
      action: button('See plans', `${siteUrl}/pricing`),
    }),
  }),
  planPriceAnnounced: planEmail({
    occasion:
      'To the customer, when you announce a new price of their monthly plan that they can’t approve yet',
    wording: {
      subject: 'New price for your monthly plan {packageName}: ${newPrice} a month',
      text: `We’d like to change the price of your monthly plan {packageName} from \${price} to \${newPrice} a month, {name}. The first charge at the new price would be on {appliesFrom}.\n\nThe new price applies only if you approve it at ${provider}. You can do so from {approvableFrom}, and we’ll e-mail you then. If you do nothing, your plan continues at \${price} a month.`,
    },
    placeholders: changePlaceholders,
    write(plan) {
      const { newPrice, appliesFrom, approvableFrom } = changeValues(plan);
      return {
        preheader: `If you do nothing, your plan continues at $${plan.price} a month.`,
        heading: 'A new price for your monthly plan',
        values: { newPrice, appliesFrom, approvableFrom },
        rows: [
          ['New price', `$${newPrice} a month`],
          ['Approve from', approvableFrom],
          ['Applies from', appliesFrom],
        ],
      };
    },
  }),
  planPriceApprovable: planEmail({
    occasion:
      'To the customer, when they can approve a new price of their monthly plan. If they can approve it right away, they get only this e-mail, which also announces the price',
    wording: {
      subject: 'Approve the new price for your monthly plan {packageName}',
      text: `We’d like to change the price of your monthly plan {packageName} from \${price} to \${newPrice} a month, {name}. The first charge at the new price would be on {appliesFrom}.\n\nThe new price applies only if you approve it at ${provider}. You can do so now: open your monthly plan. If you do nothing, your plan continues at \${price} a month.`,
    },
    placeholders: { newPrice: changePlaceholders.newPrice, appliesFrom: changePlaceholders.appliesFrom },
    write(plan) {
      const { newPrice, appliesFrom } = changeValues(plan);
      return {
        preheader: `If you do nothing, your plan continues at $${plan.price} a month.`,
        heading: 'You can approve the new price now',
        values: { newPrice, appliesFrom },
        rows: [
          ['New price', `$${newPrice} a month`],
          ['Applies from', appliesFrom],
        ],
      };
    },
  }),
  planChangeApproved: planEmail({
    occasion: 'To the customer, after they approve another package or a new price of their monthly plan',
    wording: {
      subject: 'Your monthly plan changes on {appliesFrom}',
      text: `Thank you, {name}. You’ve approved the change at ${provider}: from the charge on {appliesFrom}, your monthly plan is {newPackageName} for \${newPrice} a month. Until then, nothing changes.`,
    },
    placeholders: {
      newPackageName: 'The package of the plan from then on',
      newPrice: changePlaceholders.newPrice,
      appliesFrom: changePlaceholders.appliesFrom,
    },
    write(plan) {
      const { newPackageName, newPrice, appliesFrom } = changeValues(plan);
      const changesPackage = newPackageName !== plan.packageName;
      return {
        preheader: `${newPackageName} for $${newPrice} a month.`,
        heading: 'You’ve approved the change',
        values: { newPackageName, newPrice, appliesFrom },
        rows: [
          ...(changesPackage ? ([['New plan', newPackageName]] as [string, string][]) : []),
          ['New price', `$${newPrice} a month`],
          ['Applies from', appliesFrom],
        ],
      };
    },
  }),
};
