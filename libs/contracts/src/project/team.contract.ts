import { z } from 'zod';
import { linkToken } from '../account.contract.js';
import { created, deleted, done, updated } from '../answers.js';
import { event, query } from '../contract.js';
import { emailAddress } from '../identity.contract.js';
import { grouped, relay, relayedIn } from '../operation.js';
import { signedInOnly, openToAll } from '../policy.js';
import { requiredLine } from '../text.js';
import { teamRole } from './team-role.js';

const teamMember = z.object({
  /** The member’s account. */
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  role: teamRole,
  joinedAt: z.string(),
});
export type TeamMember = z.infer<typeof teamMember>;

const teamInvitation = z.object({
  _id: z.string(),
  email: z.string(),
  name: z.string(),
  role: teamRole,
  sentAt: z.string(),
  expiresAt: z.string(),
  expired: z.boolean(),
});
export type TeamInvitation = z.infer<typeof teamInvitation>;

/** In another customer’s team. */
const membership = z.object({
  /** The owner's account. */
  _id: z.string(),
  ownerName: z.string(),
  role: teamRole,
});

const team = z.object({
  /** The caller’s name in threads. */
  name: z.string(),
  members: z.array(teamMember),
  invitations: z.array(teamInvitation),
  memberships: z.array(membership),
});
export type Team = z.infer<typeof team>;

const tokenBody = z.strictObject({ token: linkToken });
const memberRecord = teamMember.meta({ id: 'TeamMember' });

export const teamOperations = grouped('Your team', {
  getTeam: relay({
    at: 'GET /team',
    pattern: 'projects.team',
    summary: 'Your colleagues, invitations, and the teams that you belong to',
    policy: signedInOnly,
    answer: team.meta({ id: 'Team' }),
  }),
  updateTeamName: relay({
    at: 'PUT /team/name',
    pattern: 'projects.setName',
    summary: 'Change your name in threads',
    policy: signedInOnly,
    body: z.strictObject({ name: requiredLine(100) }).meta({ id: 'TeamName' }),
    answer: done(z.object({})),
  }),
  /**
   * Throws FORBIDDEN until the caller has confirmed their own address; DUPLICATE for the address of the caller or of a member; COLLECTION_FULL for a
   * further address if members and invitations (also expired ones) together are already 20; RATE_LIMITED after three invitations to a mailbox, or
   * twenty from an account, in a day.
   */
  createTeamInvitation: relay({
    at: 'POST /team/invitations',
    pattern: 'projects.inviteToTeam',
    summary: 'Invite a colleague by e-mail; a second invitation to an address replaces the first',
    policy: { ...signedInOnly, idempotent: true, limit: 'mail' },
    body: z
      .strictObject({ email: emailAddress, name: requiredLine(100), role: teamRole })
      .meta({ id: 'TeamInvitationCreate' }),
    answer: created(teamInvitation),
    failures: ['FORBIDDEN', 'DUPLICATE', 'COLLECTION_FULL', 'RATE_LIMITED'],
  }),
  deleteTeamInvitation: relay({
    at: 'DELETE /team/invitations/:id',
    pattern: 'projects.revokeTeamInvitation',
    summary: 'Revoke an invitation; its link stops working',
    policy: signedInOnly,
    answer: deleted,
  }),
  changeTeamRole: relay({
    at: 'PUT /team/members/:id',
    pattern: 'projects.changeTeamRole',
    summary: 'Change what a colleague may do',
    policy: signedInOnly,
    body: z.strictObject({ role: teamRole }).meta({ id: 'TeamMemberUpdate' }),
    answer: updated(memberRecord),
  }),
  removeFromTeam: relay({
    at: 'DELETE /team/members/:id',
    pattern: 'projects.removeTeamMember',
    summary: 'Remove a colleague; what they wrote stays',
    policy: signedInOnly,
    answer: deleted,
  }),
  leaveTeam: relay({
    at: 'DELETE /team/memberships/:id',
    pattern: 'projects.leaveTeam',
    summary: 'Leave the team of another customer',
    policy: signedInOnly,
    answer: deleted,
  }),
  readTeamInvitation: relay({
    at: 'POST /team/invitation/read',
    pattern: 'projects.readTeamInvitation',
    kind: 'query',
    summary: 'The invitation that a link from a mail is for; the link stays valid',
    policy: { ...openToAll, limit: 'signIn' },
    body: tokenBody.meta({ id: 'TeamInvitationToken' }),
    secret: ['token'],
    answer: teamInvitation
      .pick({ email: true, name: true, role: true, expiresAt: true })
      .extend({ ownerName: z.string() })
      .meta({ id: 'TeamInvitationOffer' }),
    failures: ['LINK_EXPIRED'],
  }),
  /** Throws FORBIDDEN if the account has not confirmed the invited address, or owns the team. */
  acceptTeamInvitation: relay({
    at: 'POST /team/invitation/accept',
    pattern: 'projects.acceptTeamInvitation',
    summary: 'Join a team with the token of a link from a mail; the link works once',
    policy: { ...signedInOnly, limit: 'signIn' },
    body: tokenBody.meta({ id: 'TeamInvitationAccept' }),
    secret: ['token'],
    answer: done(z.object({ ownerId: z.string() })),
    failures: ['LINK_EXPIRED', 'FORBIDDEN'],
  }),
});

export const teamContract = {
  ...relayedIn(teamOperations),
  /** Members with the role `billing` in all teams, sorted by the ids of owner and account: the first `limit` that follow `after`. */
  listBillingMembers: query({
    pattern: 'projects.billingMembers',
    access: 'system',
    callableBy: ['orders'],
    input: z.object({
      after: z.object({ ownerId: z.uuid(), accountId: z.uuid() }).nullable(),
      limit: z.int().min(1).max(1_000),
    }),
    output: z.array(z.object({ ownerId: z.string(), accountId: z.string(), version: z.int() })),
  }),
} as const;

/** A role was given, changed or taken away (null). `version` grows with each change of the owner’s team. */
export const teamChanged = event(
  'projects.teamChanged',
  z.object({ ownerId: z.string(), accountId: z.string(), role: teamRole.nullable(), version: z.int() }),
);
