import { z } from 'zod';
import { newsletterSubscription } from './messaging.contract.js';
import { grouped, operation } from './operation.js';
import { newsletterLinkPaths } from './pages.js';
import { linkHolders } from './policy.js';

const query = z.object({
  token: z.string().default('').describe('From the link in the mail.'),
  campaign: z
    .string()
    .max(100)
    .optional()
    .describe('From an unsubscribe link: its campaign, whose figures count the unsubscription.'),
});
const linkPageQuery = query.extend({
  asked: z
    .literal('yes')
    .optional()
    .describe('Set by the redirect after somebody has requested a confirmation mail on the page.'),
});

/** The body shows the gateway whether the button on the page or a mail program (with one click) sent the request. */
const rawBody = { maxBytes: 16 * 1024 };
const shared = {
  policy: linkHolders,
  answer: newsletterSubscription.meta({ id: 'Subscription' }),
  failures: ['NOT_FOUND'],
  writesReply: true,
} as const;

export const newsletterSubscriptionOperations = grouped('Newsletter subscriptions', {
  getConfirmation: operation({
    at: `GET ${newsletterLinkPaths.confirm}`,
    summary:
      'The newsletter subscription of a confirmation link: a page for browsers, otherwise JSON. Changes nothing',
    query: linkPageQuery,
    ...shared,
  }),
  confirmSubscription: operation({
    at: `POST ${newsletterLinkPaths.confirm}`,
    summary: 'Confirm a newsletter subscription with the link from the mail; an expired link changes nothing',
    query,
    rawBody,
    ...shared,
  }),
  getUnsubscribing: operation({
    at: `GET ${newsletterLinkPaths.unsubscribe}`,
    summary:
      'The newsletter subscription of an unsubscribe link: a page for browsers, otherwise JSON. Changes nothing',
    query: linkPageQuery,
    ...shared,
  }),
  unsubscribe: operation({
    at: `POST ${newsletterLinkPaths.unsubscribe}`,
    summary:
      'Unsubscribe with one click (RFC 8058), with the link of any newsletter; repeating it does no harm',
    query,
    rawBody,
    ...shared,
  }),
  subscribeAgain: operation({
    at: 'POST /subscribe-again',
    summary: 'Sign up again with an unsubscribe link; a mail asks for confirmation',
    query,
    rawBody,
    ...shared,
    policy: { ...linkHolders, limit: 'forms' },
  }),
});
