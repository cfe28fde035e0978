import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, DomainError } from '#libs/contracts';
import { BillingMemberRepository } from '../billing-member/billing-member.repository.js';
import { type Person, personOf, type RecordRelation } from './person.js';

/** The part of a request for a list that says whose records to list. */
export interface OwnerFilter {
  /** Only the records of the person who asks. */
  own?: boolean | undefined;
  /** Only the records of this account. */
  customer?: string | undefined;
}

/**
 * Whose orders, invoices and monthly plans somebody may see: all of them for admins; for customers their own, and those of the customers in whose
 * teams they have the role `billing`. Every call with which customers read or change such a record asks this class. A record that they may not see
 * is NOT_FOUND, as if it did not exist. A repeated command gets its stored reply (`Inbox`), even if the person may no longer see the record.
 */
@Injectable()
export class RecordAccess {
  constructor(private readonly members: BillingMemberRepository) {}

  /** The person's relation to a record of this account. Throws NOT_FOUND if they may not see it. */
  async relationOf(person: Person, owner: string, tx?: EntityManager): Promise<RecordRelation> {
    const relation = uncheckedRelationOf(person, owner);
    if (relation === 'payer' && !(await this.members.has(owner, person.accountId, tx)))
      throw new DomainError('NOT_FOUND');
    return relation;
  }

  /** Throws NOT_FOUND for anybody but the account’s customer and those who pay for them. Admins pay only what is their own. */
  async requirePayer(actor: Actor, owner: string, tx?: EntityManager): Promise<void> {
    const person = personOf(actor);
    if (person.accountId !== owner && (await this.relationOf(person, owner, tx)) === 'admin')
      throw new DomainError('NOT_FOUND');
  }

  /** The accounts to whose records a list is limited; undefined if the list has the records of all accounts. */
  async accountsOf(
    { accountId, role }: Person,
    { own, customer }: OwnerFilter,
  ): Promise<string[] | undefined> {
    if (own) return [accountId];
    if (role === 'admin') return customer === undefined ? undefined : [customer];
    const visible = [accountId, ...(await this.members.ownersOf(accountId))];
    return customer === undefined ? visible : visible.filter((one) => one === customer.toLowerCase());
  }
}

/** The person's relation to a record of this account. Does not check access: use it only for records that were selected with `accountsOf`. */
export function uncheckedRelationOf({ accountId, role }: Person, owner: string): RecordRelation {
  if (role === 'admin') return 'admin';
  return accountId === owner ? 'customer' : 'payer';
}

/** Throws FORBIDDEN for somebody who may see and pay a record, but not decide about it. */
export function refusePayers(relation: RecordRelation): void {
  if (relation === 'payer')
    throw new DomainError(
      'FORBIDDEN',
      {},
      'Only the person who placed the order can do this. You can view and pay.',
    );
}
