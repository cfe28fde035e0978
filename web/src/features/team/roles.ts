import { paymentProvider, type TeamRole } from '#libs/contracts';

interface RoleWords {
  name: string;
  /** What the role may do, addressed to the owner of the team. */
  forOwner: string;
  /** What the role may do, addressed to the colleague who is invited to it or has it. */
  forColleague: string;
  /** Follows 'can no longer', for somebody who leaves or is removed. */
  lost: string;
}

export const roleWords: Record<TeamRole, RoleWords> = {
  member: {
    name: 'Member',
    forOwner: 'Answers questions, writes messages, shares files and reviews the work in all your projects.',
    forColleague:
      'You can answer questions, write messages, share files and review the work in all their projects.',
    lost: 'open the team’s projects. Messages and files stay.',
  },
  billing: {
    name: 'Billing',
    forOwner:
      'Sees and pays your orders, invoices and monthly plans. Can’t see messages or files, and can’t order, cancel or change plans.',
    forColleague:
      'You can see and pay their orders, invoices and monthly plans. You can’t see messages or files.',
    lost: `see or pay the team’s orders, invoices and monthly plans. A plan that is paid from the ${paymentProvider.label} account of the person who leaves is still charged there until it is cancelled here, or stopped at ${paymentProvider.label}.`,
  },
};
