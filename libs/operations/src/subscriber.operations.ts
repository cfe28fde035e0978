import {
  messagingContract as contract,
  sortDirection,
  subscriber,
  subscriberInput,
  subscriberRecord,
  subscriberSort,
  subscriberStatus,
} from '#libs/contracts';
import { acknowledgedCreate, deleted } from './acknowledged.js';
import { csvExport } from './csv.js';
import { formChecks } from './form-checks.js';
import { pagePart, pageQuery, selection, selectionOutcome } from './inputs.js';
import { grouped, list, operation, output, relay } from './operation.js';
import { adminsOnce, adminsOnly, publicForm } from './policy.js';

const record = subscriberRecord.meta({ id: 'Subscriber' });
const listQuery = pageQuery.extend({
  status: subscriberStatus.optional(),
  sort: subscriberSort.optional(),
  direction: sortDirection.optional(),
});

export const subscriberOperations = grouped('Subscribers', {
  add: operation({
    at: 'POST /add-subscriber',
    id: 'createSubscriber',
    summary:
      'Sign up for the newsletter; a confirmation mail goes to the address unless it is subscribed already',
    policy: publicForm,
    body: subscriberInput
      .extend(formChecks)
      .meta({ id: 'SubscriberCreate', examples: [{ email: 'ada@example.com' }] }),
    status: 201,
    answer: acknowledgedCreate(subscriber),
  }),
  list: relay({
    at: 'GET /subscribers',
    id: 'listSubscribers',
    summary: 'Subscribers, newest first unless sorted',
    policy: adminsOnly,
    query: listQuery,
    to: list(contract.listSubscribers, record),
  }),
  liftSuppression: relay({
    at: 'DELETE /subscriber/:id/suppression',
    id: 'liftSuppression',
    summary: 'Allow mail to an address that bounced or complained; its status is what it was before',
    policy: adminsOnly,
    versioned: true,
    failures: ['NOT_FOUND', 'INVALID_TRANSITION'],
    to: output(contract.liftSuppression, record),
  }),
  remove: relay({
    at: 'DELETE /subscriber/:id',
    id: 'deleteSubscriber',
    summary: 'Remove a subscriber',
    policy: adminsOnly,
    versioned: true,
    failures: ['NOT_FOUND'],
    to: deleted(contract.removeSubscriber),
  }),
  removeSelected: relay({
    at: 'POST /subscribers/delete',
    id: 'deleteSubscribers',
    summary: 'Remove up to 100 subscribers',
    policy: adminsOnce,
    body: selection.meta({ id: 'SubscribersDelete' }),
    to: output(contract.removeSubscribers, selectionOutcome),
  }),
  restoreSelected: relay({
    at: 'POST /subscribers/restore',
    id: 'restoreSubscribers',
    summary: 'Bring back up to 100 subscribers that were removed within the last hour, under their ids',
    policy: adminsOnce,
    body: selection.meta({ id: 'SubscribersRestore' }),
    to: output(contract.restoreSubscribers, selectionOutcome),
  }),
  export: csvExport({
    at: 'GET /subscribers/export',
    id: 'exportSubscribers',
    summary: 'All subscribers that pass the filter, as a CSV file',
    query: listQuery.omit(pagePart),
  }),
});
