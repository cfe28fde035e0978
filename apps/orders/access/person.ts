import { type Actor, DomainError } from '#libs/contracts';

export interface Person {
  accountId: string;
  email: string;
  role: 'customer' | 'admin';
}

/**
 * A person's relation to an order, an invoice or a monthly plan. `payer`: they have the role `billing` in its customer's team. `admin`: they are an
 * admin, even if the record is theirs.
 */
export type RecordRelation = 'customer' | 'payer' | 'admin';

/** Throws FORBIDDEN for visitors and our own processes. */
export function personOf(actor: Actor): Person {
  if (!('accountId' in actor)) throw new DomainError('FORBIDDEN');
  return { accountId: actor.accountId, email: actor.email, role: actor.role };
}
