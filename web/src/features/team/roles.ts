import { paymentProvider, type TeamRole } from '#libs/contracts';

interface RoleWords {
  name: string;
  /** What the role allows, addressed to the owner of the team. */
  forOwner: string;
  /** What the role allows, addressed to the colleague. */
  forColleague: string;
  /** Follows 'no longer be able to', for somebody who leaves or is removed. */
  lost: string;
  /** What else happens when `colleague` is removed, addressed to the owner of the team. */
  whenRemoved(colleague: string): string;
  /** What else happens when a colleague leaves the team of `owner`, addressed to the colleague. */
  whenLeaving(owner: string): string;
}

const provider = paymentProvider.label;
const messagesStay = 'Messages and files stay.';

export const roleWords: Record<TeamRole, RoleWords> = {
  member: {
    name: 'Member',
    forOwner: 'Answers questions, writes messages, shares files and reviews the work in all your projects.',
    forColleague:
      'You can answer questions, write messages, share files and review the work in all their projects.',
    lost: 'open the team’s projects',
    whenRemoved: () => messagesStay,
    whenLeaving: () => messagesStay,
  },
  billing: {
    name: 'Billing',
    forOwner:
      'Sees and pays your orders, invoices and monthly plans. Can’t see messages or files, and can’t order, cancel or change plans.',
    forColleague:
      'You can see and pay their orders, invoices and monthly plans. You can’t see messages or files.',
    lost: 'see or pay the team’s orders, invoices and monthly plans',
    whenRemoved: (colleague) =>
      `If ${colleague}’s ${provider} account pays for a plan, it will still be charged until you cancel the plan or ${colleague} stops the payments at ${provider}.`,
    whenLeaving: (owner) =>
      `If a plan is paid from your ${provider} account, you’ll still be charged until ${owner} cancels the plan or you stop the payments at ${provider}.`,
  },
};
