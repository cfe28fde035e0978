import { z } from 'zod';

/**
 * The person or process that a call is made for. The gateway determines the person from the session; the actor travels with every request, and
 * the service that owns the record enforces what the actor may do.
 */
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
    /** A customer who becomes an admin once they have a second factor. */
    needsSecondFactor: z.literal(true).optional(),
  }),
  /** One of our own processes, not on behalf of a person (seeding, the gateway's cache). */
  z.object({ role: z.literal('system') }),
]);

export type Actor = z.infer<typeof actorSchema>;
export type Role = Actor['role'];

export const visitor: Actor = { role: 'visitor' };
export const system: Actor = { role: 'system' };

/** Whether the actor has signed in recently, as `fresh` calls require. Our own processes need not. */
export function isFresh(actor: Actor, now: number): boolean {
  if (actor.role === 'system') return true;
  return 'freshUntil' in actor && actor.freshUntil !== undefined && now < Date.parse(actor.freshUntil);
}

/**
 * Who may make a call: `public` is everyone, `customer` everyone who is signed in, `admin` every admin. `system`, our own processes, may make all
 * calls; a request from outside never has it.
 */
export type Access = 'public' | 'customer' | 'admin' | 'system';

type AccessVerdict = 'allowed' | 'unauthenticated' | 'forbidden';

export function judgeAccess(access: Access, role: Role): AccessVerdict {
  if (access === 'public' || role === 'system') return 'allowed';
  if (role === 'visitor') return 'unauthenticated';
  if (access === 'customer' || (access === 'admin' && role === 'admin')) return 'allowed';
  return 'forbidden';
}
