import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { accountDeleted, type EventPayload } from '#libs/contracts';
import { Inbox, transaction } from '#libs/database';
import { type EventContext, OnEvent } from '#libs/transport';
import { nameFromEmail } from '../person/person-name.js';
import { TeamService } from '../team/team.service.js';
import { DeletedAccountRepository } from './deleted-account.repository.js';

const anonymousNames = { customer: 'a former customer', admin: 'a former admin' };

/** Removes the names of people whose account was deleted. What they wrote and handed over stays, because it belongs to the other side as well. */
@Injectable()
export class DeletedAccountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly deletedAccounts: DeletedAccountRepository,
    private readonly teams: TeamService,
  ) {}

  @OnEvent(accountDeleted)
  async forget(
    { accountId, email }: EventPayload<typeof accountDeleted>,
    { eventId }: EventContext,
  ): Promise<void> {
    await this.inbox.consume('deleted-accounts', eventId, async (tx) => {
      await this.deletedAccounts.add(tx, accountId);
      await this.anonymize(tx, accountId, email);
      if (email !== null) await this.deletedAccounts.deleteInvitationsOf(tx, email);
    });
  }

  /** Removes names that were stored after the deletion. Looks a day back, because an outage may have prevented sweeps. */
  async sweep(): Promise<void> {
    for (const accountId of await this.deletedAccounts.listNamedAgain()) {
      await transaction(this.dataSource, (tx) => this.anonymize(tx, accountId, null));
    }
  }

  private async anonymize(tx: EntityManager, accountId: string, email: string | null): Promise<void> {
    // Locks projects before the stored name, as an assignment does. Otherwise, a deletion and an assignment could wait for each other.
    await this.deletedAccounts.lockProjects(tx, accountId);
    const name = await this.deletedAccounts.takeName(tx, accountId);
    // Again, because the assignments that `takeName` waited for may have added projects, and no later sweep knows the name.
    const projectIds = await this.deletedAccounts.lockProjects(tx, accountId);
    // The sweep does not know the address, but an assignment that was stored after the deletion contains it.
    const assigned = await this.deletedAccounts.assigneeEmails(tx, accountId);
    const emails = [...(email === null ? [] : [email]), ...assigned];
    const names = [
      ...(name === null ? [] : [name]),
      // Earlier entries of threads may contain the name made from an address, or an earlier name.
      ...emails.map(nameFromEmail),
      ...(await this.deletedAccounts.staffNames(tx, accountId)),
    ];
    await this.deletedAccounts.anonymizeAssignments(
      tx,
      accountId,
      [...names, ...emails],
      anonymousNames.admin,
    );
    await this.teams.forget(tx, accountId);
    await this.deletedAccounts.anonymize(tx, accountId, projectIds, anonymousNames);
  }
}
