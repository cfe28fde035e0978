import { z } from 'zod';
import { adminUser, adminUserInput } from '#libs/contracts';
import { adminsOnce, adminsOnly, customersOnly } from '../policy/policy.js';
import { acknowledgedCreate, acknowledgedDelete, acknowledgedUpdate } from '../routing/acknowledged.js';
import type { Endpoint } from '../routing/endpoint.js';

const group = 'Admin users';
const record = adminUser.meta({ id: 'AdminUser' });
const ignored = z.unknown().optional();

/** What was read can be sent back: the four fields that the server added are accepted and dropped. */
const updateBody = adminUserInput
  .extend({ _id: ignored, createdAt: ignored, updatedAt: ignored, version: ignored })
  .transform(({ userEmail, userRole }) => ({ userEmail, userRole }))
  .meta({ id: 'AdminUserUpdate' });

export const listUsersEndpoint: Endpoint = {
  method: 'GET',
  path: '/users',
  policy: { access: 'public', session: 'required' },
  operationId: 'listAdminUsers',
  summary: 'All admin users for an admin, the own entry for a customer, nothing for a visitor',
  group,
  status: 200,
  answer: z.array(record),
  failures: [],
};

export const getUserEndpoint: Endpoint = {
  method: 'GET',
  path: '/users/:id',
  policy: customersOnly,
  operationId: 'getAdminUser',
  summary: 'One admin user; for a customer only the own entry',
  group,
  status: 200,
  answer: record,
  failures: ['NOT_FOUND'],
};

export const addUserEndpoint: Endpoint = {
  method: 'POST',
  path: '/add-user',
  policy: { ...adminsOnce, fresh: true },
  operationId: 'createAdminUser',
  summary: 'Make the account with this address an admin, once the address is verified',
  group,
  body: adminUserInput.meta({ id: 'AdminUserCreate' }),
  status: 201,
  answer: acknowledgedCreate(adminUser),
  failures: ['INVALID_INPUT', 'DUPLICATE', 'IDEMPOTENCY_KEY_REUSED'],
};

export const updateUserEndpoint: Endpoint = {
  method: 'PUT',
  path: '/upadete-users/:id',
  policy: { ...adminsOnly, fresh: true },
  operationId: 'updateAdminUser',
  summary: 'Change the address of an admin user',
  group,
  body: updateBody,
  status: 200,
  answer: acknowledgedUpdate(adminUser),
  failures: ['INVALID_INPUT', 'NOT_FOUND', 'DUPLICATE', 'VERSION_MISMATCH', 'LAST_ADMIN'],
  versioned: true,
};

export const removeUserEndpoint: Endpoint = {
  method: 'DELETE',
  path: '/users/:id',
  policy: { ...adminsOnly, fresh: true },
  operationId: 'deleteAdminUser',
  summary: 'Remove an admin; it takes effect on that person’s next request',
  group,
  status: 200,
  answer: acknowledgedDelete,
  failures: ['NOT_FOUND', 'LAST_ADMIN'],
};

export const restoreUserEndpoint: Endpoint = {
  method: 'POST',
  path: '/restore/adminUser/:id',
  policy: { ...adminsOnly, fresh: true },
  operationId: 'restoreAdminUser',
  summary:
    'Bring back an admin who was removed within the last hour; it takes effect on that person’s next request',
  group,
  status: 200,
  answer: record,
  failures: ['NOT_FOUND', 'DUPLICATE'],
};

export const userEndpoints: readonly Endpoint[] = [
  listUsersEndpoint,
  getUserEndpoint,
  addUserEndpoint,
  updateUserEndpoint,
  removeUserEndpoint,
  restoreUserEndpoint,
];
