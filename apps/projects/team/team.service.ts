import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type Actor,
  DomainError,
  type HandlerInputs,
  mailRequested,
  type Output,
  type Team,
  teamChanged,
  teamContract,
  type TeamInvitation,
  teamLimits,
  type TeamMember,
  type TeamRole,
} from '#libs/contracts';
import {
  Inbox,
  mailboxOf,
  type MailCounter,
  newToken,
  Outbox,
  RecipientLimits,
  sha256,
  uuidv7,
} from '#libs/database';
import { Clock, addSeconds } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { AuthorService } from '../access/author.service.js';
import { ProjectChanges } from '../broadcast/project-changes.js';
import type { ProjectsConfig } from '../config.js';
import { PROJECTS_CONFIG } from '../config.module.js';
import { UnreadCheckRepository } from '../entry/unread-check.repository.js';
import { PersonRepository } from '../person/person.repository.js';
import { ReportLinkRepository } from '../report/report-link.repository.js';
import type { TeamMemberEntity } from '../team-member/team-member.entity.js';
import type { TeamInvitationEntity } from './team-invitation.entity.js';
import { TeamRepository } from './team.repository.js';

type Input = HandlerInputs<typeof teamContract>;

const daySeconds = 24 * 60 * 60;
/** An expired invitation is shown for a month, so that it can be sent again. */
const expiredKeptSeconds = 30 * daySeconds;

/** Limits the mails to one mailbox, whose owner may not want them, and the mails that one customer causes. */
const mailCounters = (email: string, accountId: string): MailCounter[] => [
  { key: mailboxOf(email), limits: [{ of: 'this kind', count: 3, seconds: daySeconds }] },
  { key: `account ${accountId}`, limits: [{ of: 'this kind', count: 20, seconds: daySeconds }] },
];

/**
 * Colleagues of customers. An invitation's link works once, for a week, and only for an account that has confirmed the invited address. The stored
 * invitation has only the hash of the token. Locking a team raises its version. Each change of a member locks the team, and is announced to services
 * (`projects.teamChanged`) and to gateways, which refresh the member's open streams.
 */
@Injectable()
export class TeamService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly teams: TeamRepository,
    private readonly people: PersonRepository,
    private readonly authors: AuthorService,
    private readonly checks: UnreadCheckRepository,
    private readonly reportLinks: ReportLinkRepository,
    private readonly limits: RecipientLimits,
    private readonly outbox: Outbox,
    private readonly changes: ProjectChanges,
    private readonly clock: Clock,
    @Inject(PROJECTS_CONFIG) private readonly config: ProjectsConfig,
  ) {}

  @Handles(teamContract.getTeam)
  async read(_input: Input['getTeam'], { actor }: RequestContext): Promise<Team> {
    const { accountId } = requireSignedIn(actor);
    const [name, members, invitations, memberships] = await Promise.all([
      this.nameOf(actor),
      this.teams.listMembers(accountId),
      this.teams.listInvitations(accountId),
      this.teams.listMemberships(accountId),
    ]);
    return {
      name,
      members: members.map(memberView),
      invitations: invitations.map((invitation) => this.invitationView(invitation)),
      memberships: memberships.map(({ ownerId: _id, ...membership }) => ({ _id, ...membership })),
    };
  }

  /** Changes the caller's own name in threads. Earlier messages keep the name that they were written under. */
  @Handles(teamContract.updateTeamName)
  setName({ name }: Input['updateTeamName'], context: RequestContext): Promise<Record<string, never>> {
    return this.inbox.once(context, async (tx) => {
      await this.people.setName(tx, requireSignedIn(context.actor).accountId, name);
      return {};
    });
  }

  @Handles(teamContract.createTeamInvitation)
  invite(
    { email, name, role }: Input['createTeamInvitation'],
    context: RequestContext,
  ): Promise<TeamInvitation> {
    return this.inbox.once(context, async (tx) => {
      const { accountId: ownerId, email: ownerEmail, emailVerified } = requireSignedIn(context.actor);
      if (!emailVerified) throw new DomainError('FORBIDDEN', {}, 'Confirm your e-mail address first.');
      await this.teams.lock(tx, ownerId);
      const members = await this.teams.listMembers(ownerId, tx);
      if ([ownerEmail, ...members.map((member) => member.email)].some((known) => isSameAddress(known, email)))
        throw new DomainError('DUPLICATE', {
          fields: [{ field: 'email', message: 'This address already belongs to your team' }],
        });
      const invitations = await this.teams.listInvitations(ownerId, tx);
      const earlier = invitations.find((invitation) => isSameAddress(invitation.email, email));
      if (earlier) await this.teams.deleteInvitation(tx, ownerId, earlier.id);
      else if (members.length + invitations.length >= teamLimits.members)
        throw new DomainError('COLLECTION_FULL');
      const sentAt = this.clock.now();
      await this.countMail(tx, email, ownerId, sentAt);
      return this.invitationView(
        await this.sendInvitation(tx, { ownerId, email, name, role, sentAt }, context.actor),
      );
    });
  }

  @Handles(teamContract.deleteTeamInvitation)
  revoke({ id }: Input['deleteTeamInvitation'], context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      const { accountId: ownerId } = requireSignedIn(context.actor);
      if (!(await this.teams.deleteInvitation(tx, ownerId, id))) throw new DomainError('NOT_FOUND');
      return { _id: id };
    });
  }

  @Handles(teamContract.changeTeamRole)
  changeRole(
    { id, role }: Input['changeTeamRole'],
    context: RequestContext,
  ): Promise<{ record: TeamMember; modified: boolean }> {
    return this.inbox.once(context, async (tx) => {
      const { accountId: ownerId } = requireSignedIn(context.actor);
      const version = await this.teams.lock(tx, ownerId);
      const member = await this.requireMember(tx, ownerId, id);
      const modified = member.role !== role;
      if (modified) {
        member.role = role;
        await this.teams.saveMember(tx, member);
        await this.handleRoleChange(tx, { ownerId, accountId: id, role, version });
      }
      return { record: memberView(member), modified };
    });
  }

  @Handles(teamContract.removeFromTeam)
  remove({ id }: Input['removeFromTeam'], context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      await this.removeFrom(tx, requireSignedIn(context.actor).accountId, id);
      return { _id: id };
    });
  }

  @Handles(teamContract.leaveTeam)
  leave({ id: ownerId }: Input['leaveTeam'], context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      await this.removeFrom(tx, ownerId, requireSignedIn(context.actor).accountId);
      return { _id: ownerId };
    });
  }

  @Handles(teamContract.readTeamInvitation)
  async readInvitation({ token }: Input['readTeamInvitation']) {
    const found = this.requireValid(await this.teams.findInvitation(sha256(token)));
    const ownerName = (await this.people.customerNameOf(found.ownerId)) ?? '';
    const { email, name, role, expiresAt } = this.invitationView(found);
    return { email, name, role, expiresAt, ownerName };
  }

  @Handles(teamContract.acceptTeamInvitation)
  accept({ token }: Input['acceptTeamInvitation'], context: RequestContext): Promise<{ ownerId: string }> {
    return this.inbox.once(context, async (tx) => {
      const { accountId, email, emailVerified } = requireSignedIn(context.actor);
      const { ownerId } = this.requireValid(await this.teams.findInvitation(sha256(token), tx));
      const version = await this.teams.lock(tx, ownerId);
      // Read once more, because the invitation may have been used or revoked before the team was locked.
      const invitation = this.requireValid(await this.teams.findInvitation(sha256(token), tx));
      if (!isSameAddress(invitation.email, email))
        throw new DomainError('FORBIDDEN', {}, 'This invitation is for another e-mail address.');
      if (!emailVerified)
        throw new DomainError(
          'FORBIDDEN',
          {},
          'Confirm your e-mail address first, then open the invitation again.',
        );
      if (ownerId === accountId) throw new DomainError('FORBIDDEN', {}, 'This is your own team.');
      const { name, role } = invitation;
      const joinedAt = this.clock.now();
      // An invitation can be revoked without locking the team.
      if (!(await this.teams.deleteInvitation(tx, ownerId, invitation.id))) throw linkExpired();
      await this.teams.saveMember(tx, { ownerId, accountId, role, name, email, joinedAt });
      await this.handleRoleChange(tx, { ownerId, accountId, role, version });
      return { ownerId };
    });
  }

  @Handles(teamContract.listBillingMembers)
  listBillingMembers(
    request: Input['listBillingMembers'],
  ): Promise<Output<typeof teamContract.listBillingMembers>> {
    return this.teams.listBillingMembers(request);
  }

  /** Ends the team of a deleted account, and removes the account from the teams of others. */
  async forget(tx: EntityManager, deletedId: string): Promise<void> {
    for (const ownerId of await this.teams.ownerIdsOf(tx, deletedId))
      await this.removeFrom(tx, ownerId, deletedId);
    if (!(await this.teams.exists(tx, deletedId))) return;
    const version = await this.teams.lock(tx, deletedId);
    for (const { accountId } of await this.teams.listMembers(deletedId, tx))
      await this.handleRoleChange(tx, { ownerId: deletedId, accountId, role: null, version });
    await this.teams.deleteMembersAndInvitations(tx, deletedId);
  }

  async sweep(): Promise<void> {
    await this.teams.deleteInvitationsExpiredBefore(addSeconds(this.clock.now(), -expiredKeptSeconds));
    await this.limits.deleteOldCounts(this.dataSource.manager);
  }

  private async removeFrom(tx: EntityManager, ownerId: string, accountId: string): Promise<void> {
    // Checked before the lock, too, because the caller may send any text as `ownerId`. `lock` fails for a malformed id, and must not delay changes of
    // a team to which the account does not belong.
    await this.requireMember(tx, ownerId, accountId);
    const version = await this.teams.lock(tx, ownerId);
    await this.teams.deleteMember(tx, await this.requireMember(tx, ownerId, accountId));
    await this.handleRoleChange(tx, { ownerId, accountId, role: null, version });
  }

  private async requireMember(
    tx: EntityManager,
    ownerId: string,
    accountId: string,
  ): Promise<TeamMemberEntity> {
    const member = await this.teams.findMember(tx, ownerId, accountId);
    if (!member) throw new DomainError('NOT_FOUND');
    return member;
  }

  private requireValid(invitation: TeamInvitationEntity | null): TeamInvitationEntity {
    if (!invitation || invitation.expiresAt <= this.clock.now()) throw linkExpired();
    return invitation;
  }

  /** Counts a mail. Throws RATE_LIMITED if too many invitations were mailed to this address or by this account. */
  private async countMail(tx: EntityManager, email: string, accountId: string, now: Date): Promise<void> {
    const retryAfterSeconds = await this.limits.countMail(
      tx,
      'teamInvitation',
      mailCounters(email, accountId),
      now,
    );
    if (retryAfterSeconds > 0) throw new DomainError('RATE_LIMITED', { retryAfterSeconds });
  }

  /** Stores the invitation with only the hash of its token, and requests the mail with the link. */
  private async sendInvitation(
    tx: EntityManager,
    facts: Pick<TeamInvitationEntity, 'ownerId' | 'email' | 'name' | 'role' | 'sentAt'>,
    owner: Actor,
  ): Promise<TeamInvitationEntity> {
    const token = newToken();
    const expiresAt = addSeconds(facts.sentAt, teamLimits.invitationDays * daySeconds);
    const invitation = { ...facts, id: uuidv7(), tokenHash: sha256(token), expiresAt };
    await this.teams.insertInvitation(tx, invitation);
    await this.outbox.append(tx, mailRequested, {
      ...{ mailId: uuidv7(), to: facts.email, template: 'teamInvitation' },
      params: {
        link: `${this.config.PUBLIC_URL}/team-invitation#token=${token}`,
        expiresAt: expiresAt.toISOString(),
        ownerName: await this.getOrStoreName(tx, owner),
        role: facts.role,
      },
    });
    return invitation;
  }

  private async nameOf(actor: Actor, tx?: EntityManager): Promise<string> {
    const { name } = await this.authors.ofCustomer({ person: requireSignedIn(actor) }, tx);
    return name;
  }

  /** A name made from the address is stored, because `readInvitation` does not know the owner’s address. */
  private async getOrStoreName(tx: EntityManager, owner: Actor): Promise<string> {
    const name = await this.nameOf(owner, tx);
    const { accountId } = requireSignedIn(owner);
    if ((await this.people.customerNameOf(accountId, tx)) === null)
      await this.people.setName(tx, accountId, name);
    return name;
  }

  /**
   * Announces a role that was given, changed or taken away (null). Somebody who gets the role `member` is not mailed about earlier messages. Every
   * other change revokes the report links that the person created, because only the role `member` may see projects.
   */
  private async handleRoleChange(
    tx: EntityManager,
    change: { ownerId: string; accountId: string; role: TeamRole | null; version: number },
  ): Promise<void> {
    const { ownerId, accountId, role } = change;
    const now = this.clock.now();
    if (role === 'member')
      await this.checks.markEarlierAsMailed(tx, { accountId, side: 'customer' }, { ownerId }, now);
    else await this.reportLinks.revokeCreatedBy(tx, { ownerId, createdBy: accountId }, now);
    await this.outbox.append(tx, teamChanged, change);
    this.changes.publishAfterCommit(tx, { accountId: change.accountId });
  }

  private invitationView({ id, email, name, role, sentAt, expiresAt }: TeamInvitationEntity): TeamInvitation {
    return {
      ...{ _id: id, email, name, role },
      ...{ sentAt: sentAt.toISOString(), expiresAt: expiresAt.toISOString() },
      expired: expiresAt <= this.clock.now(),
    };
  }
}

const linkExpired = () =>
  new DomainError('LINK_EXPIRED', { fields: [{ field: 'token', message: 'This link no longer works' }] });

function memberView({ accountId, name, email, role, joinedAt }: TeamMemberEntity): TeamMember {
  return { _id: accountId, name, email, role, joinedAt: joinedAt.toISOString() };
}

function requireSignedIn(actor: Actor) {
  if (!('accountId' in actor)) throw new DomainError('FORBIDDEN');
  return actor;
}

/** The identity service also ignores the letter case of addresses. */
function isSameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
