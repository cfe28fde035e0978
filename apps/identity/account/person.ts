import { type Actor, DomainError } from '#libs/contracts';

/** A signed-in person. */
export type Person = Extract<Actor, { accountId: string }>;

/** Throws UNAUTHENTICATED unless the actor is a signed-in person. */
export function personOf(actor: Actor): Person {
  if (!('accountId' in actor)) throw new DomainError('UNAUTHENTICATED');
  return actor;
}
