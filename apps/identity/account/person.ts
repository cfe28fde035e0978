import { type Actor, DomainError } from '#libs/contracts';

export type Person = Extract<Actor, { accountId: string }>;

/** Throws UNAUTHENTICATED for other actors. */
export function personOf(actor: Actor): Person {
  if (!('accountId' in actor)) throw new DomainError('UNAUTHENTICATED');
  return actor;
}
