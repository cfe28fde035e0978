import { z } from 'zod';
import { subscription, type SubscriptionLink, subscriptionPaths } from '#libs/contracts';
import { linkHolders } from '../policy/policy.js';
import type { Endpoint } from '../routing/endpoint.js';

const group = 'Subscriptions';
const token = z.string().default('').describe('Of the link in the mail.');
const query = z.object({
  token,
  campaign: z
    .string()
    .max(100)
    .optional()
    .describe('Of a link to unsubscribe: the campaign that it was in, which counts it.'),
});
const answer = subscription.meta({ id: 'Subscription' });

/** Of a mail program's one-click call and of the page's button; nothing in it matters but whether it was the page. */
const rawBody = { maxBytes: 16 * 1024 };

const page = (link: SubscriptionLink, operationId: string, summary: string): Endpoint => ({
  method: 'GET',
  path: subscriptionPaths[link],
  policy: linkHolders,
  operationId,
  summary,
  group,
  query: query.extend({ asked: z.literal('yes').optional().describe('For the page alone.') }),
  status: 200,
  answer,
  failures: ['NOT_FOUND'],
});

const call = (path: `/${string}`, operationId: string, summary: string): Endpoint => ({
  method: 'POST',
  path,
  policy: linkHolders,
  operationId,
  summary,
  group,
  query,
  rawBody,
  status: 200,
  answer,
  failures: ['NOT_FOUND'],
});

export const confirmPageEndpoint = page(
  'confirm',
  'getConfirmation',
  'What the link of a mail that asks to confirm stands for: a page for browsers, else JSON. Changes nothing',
);
export const confirmEndpoint = call(
  subscriptionPaths.confirm,
  'confirmSubscription',
  'Confirm the newsletter by the link of the mail; a link that is no longer open changes nothing',
);
export const unsubscribePageEndpoint = page(
  'unsubscribe',
  'getUnsubscribing',
  'What the link to unsubscribe stands for: a page for browsers, else JSON. Changes nothing',
);
export const unsubscribeEndpoint = call(
  subscriptionPaths.unsubscribe,
  'unsubscribe',
  'Unsubscribe with one click (RFC 8058), by the link of any newsletter; again is as good',
);
export const subscribeAgainEndpoint: Endpoint = {
  ...call(
    '/subscribe-again',
    'subscribeAgain',
    'Ask for the newsletter again, by the link to unsubscribe: a mail asks to confirm',
  ),
  policy: { ...linkHolders, limit: 'forms' },
};

export const subscriptionEndpoints: readonly Endpoint[] = [
  confirmPageEndpoint,
  confirmEndpoint,
  unsubscribePageEndpoint,
  unsubscribeEndpoint,
  subscribeAgainEndpoint,
];
