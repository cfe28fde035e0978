import { z } from 'zod';
import {
  message,
  messageInput,
  messageMoment,
  messageSort,
  messageStatus,
  messagingContract as contract,
  sortDirection,
} from '#libs/contracts';
import { acknowledgedCreate, deleted, updated } from './acknowledged.js';
import { csvExport } from './csv.js';
import { formChecks } from './form-checks.js';
import { pagePart, pageQuery, selection, selectionOutcome, updateBody } from './inputs.js';
import { grouped, list, operation, output, relay } from './operation.js';
import { adminsOnce, adminsOnly, publicForm } from './policy.js';

const record = message.meta({ id: 'Message' });
const listQuery = pageQuery.extend({
  messageStatus: messageStatus.optional(),
  from: messageMoment.optional().describe('First moment of arrival, ISO 8601.'),
  to: messageMoment.optional().describe('Last moment of arrival, ISO 8601.'),
  sort: messageSort.optional(),
  direction: sortDirection.optional(),
});

export const messageOperations = grouped('Messages', {
  add: operation({
    at: 'POST /add-message',
    id: 'createMessage',
    summary: 'Send a message through the contact form; it arrives unread',
    policy: publicForm,
    body: messageInput.extend(formChecks).meta({
      id: 'MessageCreate',
      examples: [
        {
          fullName: 'Ada Lovelace',
          emailAddress: 'ada@example.com',
          subject: 'Search ranking',
          message: 'Could you look at how our shop ranks for local searches?',
        },
      ],
    }),
    status: 201,
    answer: acknowledgedCreate(message),
  }),
  list: relay({
    at: 'GET /messages',
    id: 'listMessages',
    summary: 'Messages, newest first unless sorted',
    policy: adminsOnly,
    query: listQuery,
    to: list(contract.listMessages, record),
  }),
  item: relay({
    at: 'GET /message/:id',
    id: 'getMessage',
    summary: 'One message',
    policy: adminsOnly,
    failures: ['NOT_FOUND'],
    to: output(contract.message, record),
  }),
  update: relay({
    at: 'PUT /message/:id',
    id: 'updateMessage',
    summary: 'Mark a message as read; there is no way back',
    policy: adminsOnly,
    body: updateBody('MessageUpdate', { messageStatus }),
    versioned: true,
    failures: ['NOT_FOUND', 'INVALID_TRANSITION'],
    to: updated(contract.setMessageStatus),
  }),
  remove: relay({
    at: 'DELETE /message/:id',
    id: 'deleteMessage',
    summary: 'Delete a message',
    policy: adminsOnly,
    versioned: true,
    failures: ['NOT_FOUND'],
    to: deleted(contract.removeMessage),
  }),
  updateSelected: operation({
    at: 'PUT /messages/status',
    id: 'updateMessages',
    summary: 'Mark up to 100 messages as read',
    policy: adminsOnly,
    body: selection.extend({ messageStatus: z.literal('Read') }).meta({ id: 'MessagesUpdate' }),
    answer: selectionOutcome,
  }),
  removeSelected: relay({
    at: 'POST /messages/delete',
    id: 'deleteMessages',
    summary: 'Delete up to 100 messages',
    policy: adminsOnce,
    body: selection.meta({ id: 'MessagesDelete' }),
    to: output(contract.removeMessages, selectionOutcome),
  }),
  restoreSelected: relay({
    at: 'POST /messages/restore',
    id: 'restoreMessages',
    summary: 'Bring back up to 100 messages that were deleted within the last hour, under their ids',
    policy: adminsOnce,
    body: selection.meta({ id: 'MessagesRestore' }),
    to: output(contract.restoreMessages, selectionOutcome),
  }),
  export: csvExport({
    at: 'GET /messages/export',
    id: 'exportMessages',
    summary: 'All messages that pass the filter, as a CSV file',
    query: listQuery.omit(pagePart),
  }),
});
