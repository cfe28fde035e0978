import { z } from 'zod';

/**
 * `member`: briefs, threads and files. `billing`: sees and pays orders, invoices and monthly plans, and sees no projects. The customer is the owner, who
 * alone orders and cancels.
 */
export const teamRole = z.enum(['member', 'billing']);
export type TeamRole = z.infer<typeof teamRole>;
