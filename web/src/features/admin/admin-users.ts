import { defineCollection, text } from '#libs/content-model';
import type { ScreenPart } from './content-screens.js';

/**
 * The list of admins belongs to the identity service and is not content, but it is edited like content. The address `/upadete-users` and the toasts
 * are spelled as in the specification.
 */
export const adminUsersPart: ScreenPart = {
  section: defineCollection({
    name: 'adminUser',
    labels: { one: 'admin user', many: 'admin users' },
    fields: {
      userEmail: text('E-mail', {
        help: 'The account with this address becomes an admin once the address is confirmed. To send someone a link instead, invite them.',
      }),
    },
    routes: { list: '/users', one: '/users/:id', create: '/add-user', update: '/upadete-users/:id' },
    toasts: { created: 'User Is Added', updated: 'User Is Update' },
  }),
  editPath: '/admin-user/:id',
  editTitle: 'Update admin user',
  saveLabel: 'Update admin user',
  addHeading: 'Add admin user',
  listHeading: 'Admin users',
  nameField: 'userEmail',
};

/** The specification has this field in requests, but no form shows it. */
export const adminRoleValues = { userRole: 'Admin' };
