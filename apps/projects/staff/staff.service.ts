import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError, type StaffMember, projectContract } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { nameFromEmail } from '../person/person-name.js';
import { PersonRepository } from '../person/person.repository.js';
import { StaffClient } from './staff.client.js';

@Injectable()
export class StaffService {
  constructor(
    private readonly client: StaffClient,
    private readonly people: PersonRepository,
  ) {}

  @Handles(projectContract.listProjectStaff)
  async list(): Promise<StaffMember[]> {
    return this.withNames(await this.client.list());
  }

  async withNames(
    staff: readonly { accountId: string; email: string }[],
    manager?: EntityManager,
  ): Promise<StaffMember[]> {
    const names = await this.people.namesOf(
      staff.map(({ accountId }) => accountId),
      manager,
    );
    return staff.map(({ accountId, email }) => ({
      accountId,
      email,
      name: names.get(accountId) ?? nameFromEmail(email),
    }));
  }

  /** The names that threads show, sorted, for a text that the transaction stores. The names cannot be deleted until the transaction ends. */
  async namesToStore(
    staff: readonly { accountId: string; email: string }[],
    tx: EntityManager,
  ): Promise<string[]> {
    await this.people.delayDeletion(
      tx,
      staff.map(({ accountId }) => accountId),
    );
    return (await this.withNames(staff, tx)).map(({ name }) => name).sort();
  }

  /** Throws INVALID_INPUT for the field `assignees` unless all are admins' accounts. */
  async requireStaff(accountIds: readonly string[]): Promise<{ accountId: string; email: string }[]> {
    if (accountIds.length === 0) return [];
    const admins = new Map((await this.client.list()).map((admin) => [admin.accountId, admin]));
    const found = accountIds.flatMap((id) => admins.get(id) ?? []);
    if (found.length === accountIds.length) return found;
    throw DomainError.invalid([{ field: 'assignees', message: 'must be members of staff' }]);
  }
}
