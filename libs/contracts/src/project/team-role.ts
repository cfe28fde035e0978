import { z } from 'zod';

/**
 * `member`: briefs, threads and files. `billing`: no projects; screens do not offer it yet, because orders, invoices and monthly plans are not shown to it. The
 * customer is the owner.
 */
export const teamRole = z.enum(['member', 'billing']);
export type TeamRole = z.infer<typeof teamRole>;
