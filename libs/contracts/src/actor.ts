import { z } from 'zod';

/** Who makes the call. The gateway determines the person from the session. Each service enforces what the actor may do with its data. */
export const actorSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('visitor') }),
  z.object({
    role: z.enum(['customer', 'admin']),
    accountId: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    sessionId: z.string(),
    /** Until when the sign-in counts as fresh (ISO 8601). */
    freshUntil: z.string().optional(),
    /** On the list of admins, but without the required second factor; the role is `customer` then. */
    needsSecondFactor: z.literal(true).optional(),
  }),
  /** One of our own processes, not on behalf of a person. */
  z.object({ role: z.literal('system') }),
]);

export type Actor = z.infer<typeof actorSchema>;
export type Role = Actor['role'];

export const visitor: Actor = { role: 'visitor' };
export const system: Actor = { role: 'system' };

/** Whether the sign-in is recent, as calls with `fresh: true` require. Always true for our own processes. */
export function isFresh(actor: Actor, now: number): boolean {
  if (actor.role === 'system') return true;
  return 'freshUntil' in actor && actor.freshUntil !== undefined && now < Date.parse(actor.freshUntil);
}

/** `customer` is everyone who is signed in. `system` is our own processes; a request from outside never has this role. */
export type Access = 'public' | 'customer' | 'admin' | 'system';

type AccessVerdict = 'allowed' | 'unauthenticated' | 'forbidden';

export function judgeAccess(access: Access, role: Role): AccessVerdict {
  if (access === 'public' || role === 'system') return 'allowed';
  if (role === 'visitor') return 'unauthenticated';
  if (access === 'customer' || (access === 'admin' && role === 'admin')) return 'allowed';
  return 'forbidden';
}
