import { type Actor, DomainError } from '#libs/contracts';
import type { Reader } from './order.view.js';

/** A signed-in person. */
export interface Person {
  accountId: string;
  email: string;
  reader: Reader;
}

/** FORBIDDEN for our own processes: only people have orders. */
export function personOf(actor: Actor): Person {
  if (!('accountId' in actor)) throw new DomainError('FORBIDDEN');
  return { accountId: actor.accountId, email: actor.email, reader: actor.role };
}
