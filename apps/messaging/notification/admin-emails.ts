import { z } from 'zod';
import {
  adminListChanged,
  type AdminMail,
  paymentProvider,
  paymentReceiverChanged,
  replyLine,
} from '#libs/contracts';
import { utcDayInWords } from '#libs/runtime';
import {
  type Block,
  button,
  capitalized,
  details,
  type EmailContent,
  preheaderFrom,
  quote,
  text,
} from '../mail/email-content.js';
import { formatMoment } from '../mail/format-moment.js';
import type { MailTemplate } from '../mail/mail-template.js';
import type { Brand } from '../site/brand.js';
import {
  adminReason,
  isRenewal,
  orderDetails,
  orderParams,
  type OrderParams,
  provider,
} from './notification-emails.js';
import { planDetails, planParams, type PlanParams, withPricesIncludingTax } from './plan-emails.js';
import {
  messageBlocks,
  messagePreview,
  messageTitle,
  projectDetails,
  projectNumber,
  projectParams,
  type ProjectParams,
  replyNote,
  unreadParams,
} from './project-emails.js';

/**
 * The limit of each kind of mail about orders or monthly plans, except `paymentFlagged`, for each admin. The other mails to admins have a higher
 * limit (`adminLimits` in `notification-queue.ts`).
 */
export const orderMailsPerHour = 20;

const when = { at: z.iso.datetime() };
const receiverParams = paymentReceiverChanged.payload.extend(when);
const adminListParams = adminListChanged.payload.extend(when);
type AdminListParams = z.output<typeof adminListParams>;

function orderContent(
  order: OrderParams,
  brand: Brand,
  { words, ...content }: Pick<EmailContent, 'subject' | 'preheader' | 'heading'> & { words: string },
): EmailContent {
  const customer: Block = details(
    ['Customer', order.name || 'Deleted account'],
    ['E-mail', order.email || 'None'],
  );
  const open = button('Open the order', `${brand.siteUrl}/admin/payment-status/${order.orderId}`);
  return {
    ...content,
    blocks: [text(words), customer, orderDetails(order), open],
    footerReason: limitedReason(brand),
  };
}

const limitedReason = (brand: Brand) =>
  `${adminReason(brand)} We send at most ${orderMailsPerHour} of these e-mails an hour; the admin panel lists all orders and monthly plans. Choose which e-mails you get at ${brand.siteUrl}/notifications.`;

const switchableReason = (brand: Brand) =>
  `${adminReason(brand)} Choose which e-mails you get at ${brand.siteUrl}/notifications.`;

function projectContent(
  project: ProjectParams,
  brand: Brand,
  {
    words,
    quoted,
    ...content
  }: Pick<EmailContent, 'subject' | 'preheader' | 'heading'> & { words: string; quoted?: string | null },
): EmailContent {
  return {
    ...content,
    blocks: [
      text(words),
      ...(quoted ? [quote(quoted)] : []),
      projectDetails(project, ['Customer', project.name || 'Deleted account']),
      button('Open the project', `${brand.siteUrl}/admin/project/${project.projectId}`),
    ],
    footerReason: switchableReason(brand),
  };
}

const customerNameOf = ({ name }: Pick<OrderParams, 'name'>) => name || 'a deleted account';

const stoppedNews = z.enum(['cancelled', 'suspended', 'ended']);
export type StoppedNews = z.output<typeof stoppedNews>;
export const isStoppedNews = (news: string): news is StoppedNews => stoppedNews.safeParse(news).success;

const stoppedPlanParams = planParams.extend({ news: stoppedNews });

const stoppedWords: Record<StoppedNews, (plan: PlanParams) => string> = {
  cancelled: ({ endsOn }) =>
    endsOn
      ? `The customer won’t be charged again. The plan is paid until ${utcDayInWords(endsOn)}. Stop work then.`
      : 'The customer won’t be charged again.',
  suspended: ({ outstanding, price }) =>
    `$${outstanding ?? price} wasn’t paid in time. Stop work until it’s paid; the plan then continues automatically.`,
  ended: ({ endReason }) =>
    endReason === 'unpaid'
      ? 'The payment wasn’t received. You can stop work.'
      : 'The customer won’t be charged again. You can stop work.',
};

/** What to do if no admin made the change. */
const securityNote = ({ siteUrl }: Brand) =>
  text(
    `If nobody on your team did this, someone else may have access to the admin panel. Check ${siteUrl}/add-user and ${siteUrl}/audit-log, and choose a new password at ${siteUrl}/reset.`,
  );
const securityReason = (reason: string) => `${reason} Security e-mails can’t be turned off.`;
/** The mail also goes to the admin who was removed, or whose address was replaced. */
const removalReason = ({ name }: Brand) =>
  `You’re receiving this e-mail because you are, or were, an admin of ${name}.`;

const adminListWords: Record<AdminListParams['change'], (params: AdminListParams) => string> = {
  created: ({ userEmail }) => `${userEmail} was added as an admin.`,
  restored: ({ userEmail }) => `${userEmail} was added as an admin again.`,
  updated: ({ userEmail, formerEmail }) =>
    `The address of an admin was changed from ${formerEmail} to ${userEmail}.`,
  deleted: ({ userEmail }) => `${userEmail} is no longer an admin.`,
};

const emails: Record<AdminMail, (params: unknown, brand: Brand) => EmailContent> = {
  adminOrderPlaced(params, brand) {
    const order = orderParams.parse(params);
    return orderContent(order, brand, {
      subject: `New order ${order.orderNumber}: ${order.packageName} for ${customerNameOf(order)}`,
      preheader: `$${order.price}. Not paid yet.`,
      heading: 'You have a new order',
      words: `${capitalized(customerNameOf(order))} ordered ${order.packageName} for $${order.price}. Order ${order.orderNumber} isn’t paid yet.`,
    });
  },
  adminOrderPaid(params, brand) {
    const order = orderParams.parse(params);
    const isDisputeClosed = order.reason === 'dispute_closed';
    const paidTitle = isRenewal(order) ? 'Monthly plan renewed' : 'Paid';
    return orderContent(order, brand, {
      subject: `${isDisputeClosed ? 'Dispute closed' : paidTitle}: order ${order.orderNumber}, ${order.packageName} for ${customerNameOf(order)}`,
      preheader: isDisputeClosed
        ? 'The payment stands.'
        : `$${order.price}. You’ll find the work under Projects.`,
      heading: isDisputeClosed ? 'A dispute was closed' : 'You’ve been paid',
      words: isDisputeClosed
        ? `${provider} closed the dispute about order ${order.orderNumber}, and the payment stands.`
        : `${provider} confirmed the payment from ${customerNameOf(order)} for order ${order.orderNumber}.`,
    });
  },
  adminOrderRefunded(params, brand) {
    const order = orderParams.parse(params);
    const staysPaid = order.money?.paymentStatus === 'Paid' ? ' The order stays paid.' : '';
    return orderContent(order, brand, {
      subject: `Refund of $${order.amount}: order ${order.orderNumber}, ${order.packageName} for ${customerNameOf(order)}`,
      preheader: `$${order.money?.refunded} refunded so far.`,
      heading: 'A payment was refunded',
      words: `$${order.amount} was refunded at ${provider} for order ${order.orderNumber}. In total, $${order.money?.refunded} of this order has been refunded.${staysPaid}`,
    });
  },
  adminPlanStopped(params, brand) {
    const { news, ...stored } = stoppedPlanParams.parse(params);
    const plan = withPricesIncludingTax(stored);
    const customer = customerNameOf({ name: plan.customerName });
    const what = stoppedWords[news](plan);
    return {
      subject: `Monthly plan ${news}: ${plan.packageName} for ${customer}`,
      preheader: what,
      heading: `A monthly plan ${news === 'ended' ? 'has ended' : `was ${news}`}`,
      blocks: [
        text(what),
        details(
          ['Customer', plan.customerName || 'Deleted account'],
          ['E-mail', plan.customerEmail || 'None'],
        ),
        planDetails(plan),
        button('Open the plan', `${brand.siteUrl}/admin/monthly-plan/${plan._id}`),
      ],
      footerReason: limitedReason(brand),
    };
  },
  adminProjectBrief(params, brand) {
    const project = projectParams.parse(params);
    return projectContent(project, brand, {
      subject: `Brief completed: ${project.title} for ${customerNameOf(project)} (${projectNumber(project)})`,
      preheader: 'You can begin.',
      heading: 'A customer has answered your questions',
      words: `${capitalized(customerNameOf(project))} has completed the brief of ${project.title}. You can begin.`,
    });
  },
  adminProjectChanges(params, brand) {
    const project = projectParams.parse(params);
    return projectContent(project, brand, {
      subject: `Changes requested: ${project.title} for ${customerNameOf(project)} (${projectNumber(project)})`,
      preheader: preheaderFrom(project.reason ?? ''),
      heading: 'A customer asks for changes',
      words: `${capitalized(customerNameOf(project))} has looked at your work on ${project.title} and asks for changes.`,
      quoted: project.reason,
    });
  },
  adminProjectAccepted(params, brand) {
    const project = projectParams.parse(params);
    return projectContent(project, brand, {
      subject: `Accepted: ${project.title} for ${customerNameOf(project)} (${projectNumber(project)})`,
      preheader: 'There’s nothing more to do.',
      heading: 'A customer has accepted your work',
      words: `${capitalized(customerNameOf(project))} has accepted your work on ${project.title}.`,
    });
  },
  adminProjectMessages(params, brand) {
    const unread = unreadParams.parse(params);
    const title = messageTitle(unread);
    return {
      subject: `${title}: ${unread.title} (${projectNumber(unread)})`,
      preheader: messagePreview(unread, brand),
      heading: title,
      blocks: [
        ...messageBlocks(unread, brand),
        text(replyNote(unread)),
        button('Open the project', `${brand.siteUrl}/admin/project/${unread.projectId}`),
      ],
      footerReason: switchableReason(brand),
      ...(unread.canReplyByMail && { replyLine }),
    };
  },
  paymentReceiverChanged(params, brand) {
    const { receiver, formerReceiver, by, at } = receiverParams.parse(params);
    return {
      subject: `The ${provider} account that receives payments was changed`,
      preheader: `New payments go to ${receiver}.`,
      heading: 'Payments go to another account',
      blocks: [
        text(`From now on, customers’ payments go to ${receiver}.`),
        details(
          ['New account', receiver],
          ['Former account', formerReceiver ?? 'None'],
          ['Changed by', by],
          ['When', formatMoment(at)],
        ),
        button('Check the account', `${brand.siteUrl}${paymentProvider.receiverScreen}`),
        securityNote(brand),
      ],
      footerReason: securityReason(adminReason(brand)),
    };
  },
  adminListChanged(params, brand) {
    const change = adminListParams.parse(params);
    const words = adminListWords[change.change](change);
    return {
      subject: `The admins of ${brand.name} were changed`,
      preheader: words,
      heading: 'The list of admins was changed',
      blocks: [
        text(words),
        details(['Changed by', change.by], ['When', formatMoment(change.at)]),
        button('Review the list of admins', `${brand.siteUrl}/add-user`),
        securityNote(brand),
      ],
      footerReason: securityReason(change.removedEmail === null ? adminReason(brand) : removalReason(brand)),
    };
  },
};

const template = (name: AdminMail): MailTemplate => ({ priority: 1, secrets: [], write: emails[name] });

export const adminTemplates = Object.fromEntries(
  Object.keys(emails).map((name) => [name, template(name as AdminMail)]),
) as Record<AdminMail, MailTemplate>;
