import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { PersonEntity } from './person.entity.js';

/**
 * SQL for the name of a customer or colleague: the one in `people`, else the one in their newest project, else the one in
 * their oldest team membership, else null.
 */
export const customerNameSql = (accountIdSql: string) => `coalesce(
  (SELECT p.name FROM people p WHERE p.account_id = ${accountIdSql}),
  (SELECT j.customer_name FROM projects j WHERE j.account_id = ${accountIdSql} ORDER BY j.created_at DESC LIMIT 1),
  (SELECT m.name FROM team_members m WHERE m.account_id = ${accountIdSql} ORDER BY m.joined_at LIMIT 1))`;

@Injectable()
export class PersonRepository {
  constructor(private readonly dataSource: DataSource) {}

  async nameOf(accountId: string, manager: EntityManager = this.dataSource.manager): Promise<string | null> {
    const person = await manager.findOneBy(PersonEntity, { accountId });
    return person?.name ?? null;
  }

  async customerNameOf(
    accountId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<string | null> {
    const [row] = await manager.sql<[{ name: string | null }]>`
      SELECT ${() => customerNameSql('o.account_id')} AS name FROM (SELECT ${accountId}::uuid AS account_id) o`;
    return row.name;
  }

  async setName(tx: EntityManager, accountId: string, name: string): Promise<void> {
    await tx.upsert(PersonEntity, { accountId, name }, ['accountId']);
  }

  /** Accounts without a name in `people` are left out. */
  async namesOf(
    accountIds: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, string>> {
    const people = await manager.findBy(PersonEntity, { accountId: In(accountIds) });
    return new Map(people.map(({ accountId, name }) => [accountId, name]));
  }

  /**
   * Call it before storing a text with the names of these accounts. If an account is deleted meanwhile, the deletion waits until the transaction
   * ends, and then finds the text.
   */
  async delayDeletion(tx: EntityManager, accountIds: readonly string[]): Promise<void> {
    await tx.find(PersonEntity, { where: { accountId: In(accountIds) }, lock: { mode: 'for_key_share' } });
  }
}
