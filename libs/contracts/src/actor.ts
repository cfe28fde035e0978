import { z } from 'zod';

/**
 * On whose behalf a call is made. The gateway establishes it from the session; it travels with every request,
 * and the service that owns the record enforces what the actor may do.
 */
export const actorSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('visitor') }),
  z.object({
    role: z.enum(['customer', 'admin']),
    accountId: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    sessionId: z.string(),
    /** Until when they count as having just signed in (ISO 8601). */
    freshUntil: z.string().optional(),
    /** A customer who would be an admin with a second factor. */
    needsSecondFactor: z.literal(true).optional(),
  }),
  /** One of our own processes acting on its own account (seeding, the gateway's cache). */
  z.object({ role: z.literal('system') }),
]);

export type Actor = z.infer<typeof actorSchema>;
export type Role = Actor['role'];

export const visitor: Actor = { role: 'visitor' };
export const system: Actor = { role: 'system' };

/** Whether the actor has proved lately who they are, as calls that are `fresh` demand. Our own processes need not. */
export function isFresh(actor: Actor, now: number): boolean {
  if (actor.role === 'system') return true;
  return 'freshUntil' in actor && actor.freshUntil !== undefined && now < Date.parse(actor.freshUntil);
}

/** Who may make a call. Each level includes those below it; `system` passes all but is never reached from outside. */
export type Access = 'public' | 'customer' | 'admin' | 'system';

export type AccessVerdict = 'allowed' | 'unauthenticated' | 'forbidden';

export function judgeAccess(access: Access, role: Role): AccessVerdict {
  if (access === 'public' || role === 'system') return 'allowed';
  if (role === 'visitor') return 'unauthenticated';
  if (access === 'customer' || (access === 'admin' && role === 'admin')) return 'allowed';
  return 'forbidden';
}
