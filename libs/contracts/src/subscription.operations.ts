import { z } from 'zod';
import { subscription } from './messaging.contract.js';
import { grouped, operation } from './operation.js';
import { subscriptionPaths } from './pages.js';
import { linkHolders } from './policy.js';

const query = z.object({
  token: z.string().default('').describe('From the link in the mail.'),
  campaign: z
    .string()
    .max(100)
    .optional()
    .describe('From an unsubscribe link: the campaign that the link was in, whose figures count the person.'),
});
const pageQuery = query.extend({ asked: z.literal('yes').optional().describe('Used by the page itself.') });

/** A mail program's one-click call and the page's button send a body, which is ignored. */
const rawBody = { maxBytes: 16 * 1024 };
const shared = {
  policy: linkHolders,
  answer: subscription.meta({ id: 'Subscription' }),
  failures: ['NOT_FOUND'],
  writesReply: true,
} as const;

export const subscriptionOperations = grouped('Subscriptions', {
  getConfirmation: operation({
    at: `GET ${subscriptionPaths.confirm}`,
    summary: 'What a confirmation link stands for: a page for browsers, otherwise JSON. Changes nothing',
    query: pageQuery,
    ...shared,
  }),
  confirmSubscription: operation({
    at: `POST ${subscriptionPaths.confirm}`,
    summary: 'Confirm the newsletter with the link from the mail; an expired link changes nothing',
    query,
    rawBody,
    ...shared,
  }),
  getUnsubscribing: operation({
    at: `GET ${subscriptionPaths.unsubscribe}`,
    summary: 'What an unsubscribe link stands for: a page for browsers, otherwise JSON. Changes nothing',
    query: pageQuery,
    ...shared,
  }),
  unsubscribe: operation({
    at: `POST ${subscriptionPaths.unsubscribe}`,
    summary: 'Unsubscribe with one click (RFC 8058), with the link of any newsletter; may be repeated',
    query,
    rawBody,
    ...shared,
  }),
  subscribeAgain: operation({
    at: 'POST /subscribe-again',
    summary: 'Sign up again with an unsubscribe link; a mail asks to confirm',
    query,
    rawBody,
    ...shared,
    policy: { ...linkHolders, limit: 'forms' },
  }),
});
