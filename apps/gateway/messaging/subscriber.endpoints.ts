import { z } from 'zod';
import {
  sortDirection,
  subscriber,
  subscriberInput,
  subscriberRecord,
  subscriberSort,
  subscriberStatus,
} from '#libs/contracts';
import { adminsOnce, adminsOnly, publicForm } from '../policy/policy.js';
import { acknowledgedCreate, acknowledgedDelete } from '../routing/acknowledged.js';
import { bulkAnswer, chosenBody } from '../routing/bulk.js';
import type { Endpoint } from '../routing/endpoint.js';
import { pageQuery } from '../routing/listing.js';
import { formSigns } from './public-form.js';

const group = 'Subscribers';
const record = subscriberRecord.meta({ id: 'Subscriber' });

export const addSubscriberEndpoint: Endpoint = {
  method: 'POST',
  path: '/add-subscriber',
  policy: publicForm,
  operationId: 'createSubscriber',
  summary:
    'Ask for the newsletter: a mail asks the owner of the address to confirm; one that is subscribed is welcome',
  group,
  body: subscriberInput.extend(formSigns).meta({ id: 'SubscriberCreate' }),
  status: 201,
  answer: acknowledgedCreate(subscriber),
  failures: ['INVALID_INPUT', 'IDEMPOTENCY_KEY_REUSED'],
};

export const listSubscribersEndpoint: Endpoint = {
  method: 'GET',
  path: '/subscribers',
  policy: adminsOnly,
  operationId: 'listSubscribers',
  summary: 'Subscribers, newest first unless sorted',
  group,
  query: pageQuery.extend({
    status: subscriberStatus.optional(),
    sort: subscriberSort.optional(),
    direction: sortDirection.optional(),
  }),
  status: 200,
  answer: z.array(record),
  failures: ['INVALID_INPUT'],
  paged: true,
};

export const liftSuppressionEndpoint: Endpoint = {
  method: 'DELETE',
  path: '/subscriber/:id/suppression',
  policy: adminsOnly,
  operationId: 'liftSuppression',
  summary: 'Send mail again to an address that mail came back from; its status is that of before',
  group,
  status: 200,
  answer: record,
  failures: ['NOT_FOUND', 'INVALID_TRANSITION', 'VERSION_MISMATCH'],
  versioned: true,
};

export const removeSubscriberEndpoint: Endpoint = {
  method: 'DELETE',
  path: '/subscriber/:id',
  policy: adminsOnly,
  operationId: 'deleteSubscriber',
  summary: 'Remove a subscriber',
  group,
  status: 200,
  answer: acknowledgedDelete,
  failures: ['NOT_FOUND', 'VERSION_MISMATCH'],
  versioned: true,
};

export const removeSubscribersEndpoint: Endpoint = {
  method: 'POST',
  path: '/subscribers/delete',
  policy: adminsOnce,
  operationId: 'deleteSubscribers',
  summary: 'Remove up to 100 subscribers',
  group,
  body: chosenBody.meta({ id: 'SubscribersDelete' }),
  status: 200,
  answer: bulkAnswer,
  failures: ['INVALID_INPUT', 'IDEMPOTENCY_KEY_REUSED'],
};

export const restoreSubscribersEndpoint: Endpoint = {
  method: 'POST',
  path: '/subscribers/restore',
  policy: adminsOnce,
  operationId: 'restoreSubscribers',
  summary: 'Bring back up to 100 subscribers that were removed within the last hour, under their ids',
  group,
  body: chosenBody.meta({ id: 'SubscribersRestore' }),
  status: 200,
  answer: bulkAnswer,
  failures: ['INVALID_INPUT', 'IDEMPOTENCY_KEY_REUSED'],
};

export const subscriberEndpoints: readonly Endpoint[] = [
  addSubscriberEndpoint,
  listSubscribersEndpoint,
  liftSuppressionEndpoint,
  removeSubscriberEndpoint,
  removeSubscribersEndpoint,
  restoreSubscribersEndpoint,
];
