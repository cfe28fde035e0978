import { z } from 'zod';
import {
  message,
  messageInput,
  messageMoment,
  messageSort,
  messageStatus,
  sortDirection,
} from '#libs/contracts';
import { adminsOnce, adminsOnly, publicForm } from '../policy/policy.js';
import { acknowledgedCreate, acknowledgedDelete, acknowledgedUpdate } from '../routing/acknowledged.js';
import { bulkAnswer, chosenBody } from '../routing/bulk.js';
import type { Endpoint } from '../routing/endpoint.js';
import { pageQuery } from '../routing/listing.js';
import { formSigns } from './public-form.js';

const group = 'Messages';
const record = message.meta({ id: 'Message' });
const ignored = z.unknown().optional();

/** The four fields that the server added are accepted and dropped. */
const updateBody = z
  .strictObject({ messageStatus, _id: ignored, createdAt: ignored, updatedAt: ignored, version: ignored })
  .transform((body) => ({ messageStatus: body.messageStatus }))
  .meta({ id: 'MessageUpdate' });

export const addMessageEndpoint: Endpoint = {
  method: 'POST',
  path: '/add-message',
  policy: publicForm,
  operationId: 'createMessage',
  summary: 'Send a message through the contact form; it arrives unread',
  group,
  body: messageInput.extend(formSigns).meta({ id: 'MessageCreate' }),
  status: 201,
  answer: acknowledgedCreate(message),
  failures: ['INVALID_INPUT', 'IDEMPOTENCY_KEY_REUSED'],
};

export const listMessagesEndpoint: Endpoint = {
  method: 'GET',
  path: '/messages',
  policy: adminsOnly,
  operationId: 'listMessages',
  summary: 'Messages, newest first unless sorted',
  group,
  query: pageQuery.extend({
    messageStatus: messageStatus.optional(),
    from: messageMoment.optional().describe('First moment of arrival, ISO 8601.'),
    to: messageMoment.optional().describe('Last moment of arrival, ISO 8601.'),
    sort: messageSort.optional(),
    direction: sortDirection.optional(),
  }),
  status: 200,
  answer: z.array(record),
  failures: ['INVALID_INPUT'],
  paged: true,
};

export const getMessageEndpoint: Endpoint = {
  method: 'GET',
  path: '/message/:id',
  policy: adminsOnly,
  operationId: 'getMessage',
  summary: 'One message',
  group,
  status: 200,
  answer: record,
  failures: ['NOT_FOUND'],
};

export const updateMessageEndpoint: Endpoint = {
  method: 'PUT',
  path: '/message/:id',
  policy: adminsOnly,
  operationId: 'updateMessage',
  summary: 'Mark a message as read; there is no way back',
  group,
  body: updateBody,
  status: 200,
  answer: acknowledgedUpdate(message),
  failures: ['INVALID_INPUT', 'NOT_FOUND', 'INVALID_TRANSITION', 'VERSION_MISMATCH'],
  versioned: true,
};

export const removeMessageEndpoint: Endpoint = {
  method: 'DELETE',
  path: '/message/:id',
  policy: adminsOnly,
  operationId: 'deleteMessage',
  summary: 'Delete a message',
  group,
  status: 200,
  answer: acknowledgedDelete,
  failures: ['NOT_FOUND', 'VERSION_MISMATCH'],
  versioned: true,
};

export const updateMessagesEndpoint: Endpoint = {
  method: 'PUT',
  path: '/messages/status',
  policy: adminsOnly,
  operationId: 'updateMessages',
  summary: 'Mark up to 100 messages as read',
  group,
  body: chosenBody.extend({ messageStatus: z.literal('Read') }).meta({ id: 'MessagesUpdate' }),
  status: 200,
  answer: bulkAnswer,
  failures: ['INVALID_INPUT'],
};

export const removeMessagesEndpoint: Endpoint = {
  method: 'POST',
  path: '/messages/delete',
  policy: adminsOnce,
  operationId: 'deleteMessages',
  summary: 'Delete up to 100 messages',
  group,
  body: chosenBody.meta({ id: 'MessagesDelete' }),
  status: 200,
  answer: bulkAnswer,
  failures: ['INVALID_INPUT', 'IDEMPOTENCY_KEY_REUSED'],
};

export const restoreMessagesEndpoint: Endpoint = {
  method: 'POST',
  path: '/messages/restore',
  policy: adminsOnce,
  operationId: 'restoreMessages',
  summary: 'Bring back up to 100 messages that were deleted within the last hour, under their ids',
  group,
  body: chosenBody.meta({ id: 'MessagesRestore' }),
  status: 200,
  answer: bulkAnswer,
  failures: ['INVALID_INPUT', 'IDEMPOTENCY_KEY_REUSED'],
};

export const messageEndpoints: readonly Endpoint[] = [
  addMessageEndpoint,
  listMessagesEndpoint,
  getMessageEndpoint,
  updateMessageEndpoint,
  removeMessageEndpoint,
  updateMessagesEndpoint,
  removeMessagesEndpoint,
  restoreMessagesEndpoint,
];
