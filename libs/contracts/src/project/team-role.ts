import { z } from 'zod';

/**
 * `member`: may do in projects whatever the customer may. `billing`: sees and pays orders, invoices and monthly plans, and sees no projects. Only the
 * customer, who owns the team, may place and cancel orders and plans.
 */
export const teamRole = z.enum(['member', 'billing']);
export type TeamRole = z.infer<typeof teamRole>;
