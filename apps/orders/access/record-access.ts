import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, DomainError } from '#libs/contracts';
import { BillingMemberRepository } from '../billing-member/billing-member.repository.js';
import { type Person, personOf, type RecordRelation } from './person.js';

/** Whose records to list. */
export interface OwnerFilter {
  own?: boolean | undefined;
  /** An account's id. */
  customer?: string | undefined;
}

/**
 * Every call with which a customer can see or change existing orders, invoices or monthly plans asks this class. Admins see all of them. Customers
 * see their own, and those of other customers for whom they are payers (`RecordRelation`). A former payer who repeats a command
 * still gets the reply that the inbox has stored.
 */
@Injectable()
export class RecordAccess {
  constructor(private readonly members: BillingMemberRepository) {}

  /** Throws NOT_FOUND if the person may not see the record. */
  async relationOf(person: Person, ownerId: string, tx?: EntityManager): Promise<RecordRelation> {
    const relation = uncheckedRelationOf(person, ownerId);
    if (relation === 'payer' && !(await this.members.hasActive(ownerId, person.accountId, tx)))
      throw new DomainError('NOT_FOUND');
    return relation;
  }

  /** Throws NOT_FOUND for anybody but the customer and their payers. Admins pay only what is their own. */
  async requireCustomerOrPayer(actor: Actor, ownerId: string, tx?: EntityManager): Promise<void> {
    const person = personOf(actor);
    if (person.accountId !== ownerId && (await this.relationOf(person, ownerId, tx)) === 'admin')
      throw new DomainError('NOT_FOUND');
  }

  /** The accounts whose records the person gets in a list; undefined for everybody's. */
  async ownerIdsFor(
    { accountId, role }: Person,
    { own, customer }: OwnerFilter,
  ): Promise<string[] | undefined> {
    if (own) return [accountId];
    if (role === 'admin') return customer === undefined ? undefined : [customer];
    const visible = [accountId, ...(await this.members.listOwnerIds(accountId))];
    // Stored ids are in lower case; the id in a request need not be.
    return customer === undefined ? visible : visible.filter((ownerId) => ownerId === customer.toLowerCase());
  }
}

/** Does not check access: use it only for records that were selected with `ownerIdsFor`. */
export function uncheckedRelationOf({ accountId, role }: Person, ownerId: string): RecordRelation {
  if (role === 'admin') return 'admin';
  return accountId === ownerId ? 'customer' : 'payer';
}

export function refusePayers(relation: RecordRelation): void {
  if (relation === 'payer')
    throw new DomainError(
      'FORBIDDEN',
      {},
      'Only the person who placed the order can do this. You can view and pay.',
    );
}
