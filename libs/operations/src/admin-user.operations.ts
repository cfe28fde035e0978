import { z } from 'zod';
import { adminUser, adminUserInput, identityContract as contract } from '#libs/contracts';
import { created, deleted, updated } from './acknowledged.js';
import { updateBody } from './inputs.js';
import { grouped, output, relay } from './operation.js';
import { adminsOnce, adminsOnly, customersOnly } from './policy.js';

const record = adminUser.meta({ id: 'AdminUser' });
const changes = { policy: { ...adminsOnly, fresh: true }, invalidates: 'sessions' } as const;

/** The admin list, at its documented addresses. Changes take effect on a person's next request. */
export const adminUserOperations = grouped('Admin users', {
  list: relay({
    at: 'GET /users',
    id: 'listAdminUsers',
    summary: 'All admin users for an admin, the own entry for a customer, nothing for a visitor',
    policy: { access: 'public', session: 'required' },
    to: output(contract.listAdmins, z.array(record)),
  }),
  item: relay({
    at: 'GET /users/:id',
    id: 'getAdminUser',
    summary: 'One admin user; for a customer only the own entry',
    policy: customersOnly,
    failures: ['NOT_FOUND'],
    to: output(contract.admin, record),
  }),
  add: relay({
    at: 'POST /add-user',
    id: 'createAdminUser',
    summary: 'Make the account with this address an admin, once the address is verified',
    ...changes,
    policy: { ...adminsOnce, fresh: true },
    body: adminUserInput.meta({ id: 'AdminUserCreate' }),
    failures: ['DUPLICATE'],
    to: created(contract.addAdmin),
  }),
  update: relay({
    at: 'PUT /upadete-users/:id',
    id: 'updateAdminUser',
    summary: 'Change the address of an admin user',
    ...changes,
    body: updateBody('AdminUserUpdate', adminUserInput.shape),
    versioned: true,
    failures: ['NOT_FOUND', 'DUPLICATE', 'LAST_ADMIN'],
    to: updated(contract.updateAdmin),
  }),
  remove: relay({
    at: 'DELETE /users/:id',
    id: 'deleteAdminUser',
    summary: 'Remove an admin; it takes effect on that person’s next request',
    ...changes,
    failures: ['NOT_FOUND', 'LAST_ADMIN'],
    to: deleted(contract.removeAdmin),
  }),
  restore: relay({
    at: 'POST /restore/adminUser/:id',
    id: 'restoreAdminUser',
    summary:
      'Bring back an admin who was removed within the last hour; it takes effect on that person’s next request',
    ...changes,
    failures: ['NOT_FOUND', 'DUPLICATE'],
    to: output(contract.restoreAdmin, record),
  }),
});
