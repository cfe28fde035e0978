import { z } from 'zod';
import { linkToken } from './account.contract.js';
import { created, deleted, doneWith } from './answers.js';
import { emailAddress, password } from './identity.contract.js';
import { grouped, relay, relayedIn } from './operation.js';
import { adminsIdempotent, adminsOnly, signedInOnly, openToAll } from './policy.js';

const adminInvitation = z.object({
  _id: z.string(),
  email: z.string(),
  /** An admin's address. */
  invitedBy: z.string(),
  sentAt: z.string(),
  expiresAt: z.string(),
  expired: z.boolean(),
});
export type AdminInvitation = z.infer<typeof adminInvitation>;

const tokenBody = z.strictObject({ token: linkToken });
const emailOutput = z.object({ email: z.string() });

export const adminInvitationOperations = grouped('Admin invitations', {
  /** Includes expired invitations. Leaves out those whose inviter is no longer an admin: their links do not work. */
  listAdminInvitations: relay({
    at: 'GET /admin-invitations',
    pattern: 'identity.listAdminInvitations',
    summary: 'Invitations that were not accepted yet, in the order in which they were first sent',
    policy: adminsOnly,
    answer: z.array(adminInvitation.meta({ id: 'AdminInvitation' })),
  }),
  /**
   * The link works once, for a week. Throws DUPLICATE if the address is on the list of admins. Throws RATE_LIMITED after one e-mail in a minute or
   * three in a day to a mailbox, and after twenty in a day by one admin.
   */
  createAdminInvitation: relay({
    at: 'POST /admin-invitations',
    pattern: 'identity.inviteAdmin',
    summary: 'Invite somebody to become an admin; a second invitation to an address replaces the first',
    policy: { ...adminsIdempotent, fresh: true },
    body: z.strictObject({ email: emailAddress }).meta({ id: 'AdminInvitationCreate' }),
    answer: created(adminInvitation),
    failures: ['DUPLICATE', 'RATE_LIMITED'],
  }),
  deleteAdminInvitation: relay({
    at: 'DELETE /admin-invitations/:id',
    pattern: 'identity.revokeAdminInvitation',
    summary: 'Revoke an invitation; its link stops working',
    policy: { ...adminsOnly, fresh: true },
    answer: deleted,
  }),
  readAdminInvitation: relay({
    at: 'POST /auth/admin-invitation/read',
    pattern: 'identity.readAdminInvitation',
    kind: 'query',
    summary: 'The invitation that a link from a mail is for; the link stays valid',
    policy: { ...openToAll, limit: 'signIn' },
    body: tokenBody.meta({ id: 'AdminInvitationToken' }),
    secret: ['token'],
    answer: adminInvitation
      .pick({ email: true, invitedBy: true, expiresAt: true })
      .extend({
        hasAccount: z.boolean().describe('Whether there is an account that has confirmed the address.'),
      })
      .meta({ id: 'AdminInvitationOffer' }),
    failures: ['LINK_EXPIRED'],
  }),
  /** Throws FORBIDDEN unless the account has confirmed the invited address. */
  acceptAdminInvitation: relay({
    at: 'POST /auth/admin-invitation/accept',
    pattern: 'identity.acceptAdminInvitation',
    summary:
      'Become an admin with the token of a link from a mail, while signed in with the invited address; the link works once',
    policy: { ...signedInOnly, limit: 'signIn' },
    body: tokenBody.meta({ id: 'AdminInvitationAccept' }),
    secret: ['token'],
    answer: doneWith(emailOutput),
    failures: ['LINK_EXPIRED', 'FORBIDDEN'],
    invalidates: 'cachedSessions',
  }),
  /** Throws EMAIL_TAKEN if an account has confirmed the address: its owner has to sign in and accept. */
  joinByAdminInvitation: relay({
    at: 'POST /auth/admin-invitation/join',
    pattern: 'identity.joinByAdminInvitation',
    summary:
      'Create an admin’s account with the token of a link from a mail, which proves the address and works once',
    policy: { ...openToAll, limit: 'signIn' },
    body: tokenBody.extend({ password }).meta({ id: 'AdminInvitationJoin' }),
    secret: ['token', 'password'],
    answer: doneWith(emailOutput),
    failures: ['LINK_EXPIRED', 'EMAIL_TAKEN', 'WEAK_PASSWORD'],
    invalidates: 'cachedSessions',
  }),
});

export const adminInvitationContract = relayedIn(adminInvitationOperations);
