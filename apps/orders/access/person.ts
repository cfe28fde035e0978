import { type Actor, DomainError } from '#libs/contracts';

/** A signed-in person. */
export interface Person {
  accountId: string;
  email: string;
  role: 'customer' | 'admin';
}

/**
 * A person's relation to an order, an invoice or a monthly plan. `customer`: it is theirs. `payer`: it belongs to a customer in whose team they have
 * the role `billing`. `admin`: they are an admin, even if the record is theirs. Only admins see an order's flags, a plan's `problem`, and `by` and
 * `evidence` of timeline entries.
 */
export type RecordRelation = 'customer' | 'payer' | 'admin';

/** Throws FORBIDDEN for visitors and our own processes: only accounts have orders. */
export function personOf(actor: Actor): Person {
  if (!('accountId' in actor)) throw new DomainError('FORBIDDEN');
  return { accountId: actor.accountId, email: actor.email, role: actor.role };
}
