import type { TeamRole } from '#libs/contracts';

/**
 * Whether colleagues can be invited for billing only. Switch it on once orders, invoices and monthly plans can be seen by them: the role is
 * known to the service either way.
 */
export const isBillingOffered: boolean = false;

interface RoleWords {
  name: string;
  /** What the role may do, in a sentence. */
  sentence: string;
  /** The same, to the person who is invited. */
  invited: string;
}

export const roleWords: Record<TeamRole, RoleWords> = {
  member: {
    name: 'Member',
    sentence: 'Answers questions, writes messages, shares files and reviews the work in all your projects.',
    invited:
      'You can answer questions, write messages, share files and review the work in all their projects.',
  },
  billing: {
    name: 'Billing',
    sentence: 'Sees your orders, invoices and monthly plans and can pay them, but no messages and no files.',
    invited:
      'You can see and pay their orders, invoices and monthly plans. You don’t see messages and files.',
  },
};

export const offeredRoles: readonly TeamRole[] = isBillingOffered ? ['member', 'billing'] : ['member'];
