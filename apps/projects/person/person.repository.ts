import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { PersonEntity } from './person.entity.js';

/** The table `people`. */
@Injectable()
export class PersonRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null if no name is stored for this account. */
  async nameOf(accountId: string, manager: EntityManager = this.dataSource.manager): Promise<string | null> {
    const person = await manager.findOneBy(PersonEntity, { accountId });
    return person?.name ?? null;
  }

  async setName(tx: EntityManager, accountId: string, name: string): Promise<void> {
    await tx.upsert(PersonEntity, { accountId, name }, ['accountId']);
  }

  /** The stored names, by account; accounts without one are left out. */
  async namesOf(
    accountIds: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, string>> {
    const people = await manager.findBy(PersonEntity, { accountId: In(accountIds) });
    return new Map(people.map(({ accountId, name }) => [accountId, name]));
  }

  /** Until the transaction ends, these names cannot be deleted: deleting an account waits until the texts that contain its name are stored. */
  async preventDeletion(tx: EntityManager, accountIds: readonly string[]): Promise<void> {
    await tx.find(PersonEntity, { where: { accountId: In(accountIds) }, lock: { mode: 'for_key_share' } });
  }
}
