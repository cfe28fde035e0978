import { allSections, type Section } from '#libs/content-model';
import { paymentProvider, providerGroupDescriptions } from '#libs/contracts';

export const groupDescriptions: Readonly<Record<string, string>> = {
  'Signing in':
    'Creating an account, signing in with a password, a passkey or Google, the second step of a sign-in, and renewing and ending a session.',
  'Your account':
    'What people do with their own account: confirm and change the address, change the password, end sessions, copy their data, and delete the account.',
  'Second factors':
    'Authenticator apps, passkeys and recovery codes of your own account, and whether every admin must have a second factor.',
  'Admin users': 'The people with access to the admin area. Changes take effect on a person’s next request.',
  'Admin invitations': 'Inviting people by e-mail to become admins, and accepting an invitation.',
  Subscribers: 'The newsletter’s sign-up form, its list of subscribers, and the import of addresses.',
  'Newsletter subscriptions':
    'The links in newsletters and confirmation mails: confirm a newsletter subscription, unsubscribe, and subscribe again.',
  Messages: 'The contact form, and the messages that arrived through it.',
  Mail: 'Mails that the site sent or is about to send, previews of each kind of e-mail, and reports of bounces and complaints.',
  Campaigns: 'Newsletter campaigns: writing, testing, scheduling and sending them.',
  Orders: 'Placing orders, following and cancelling your own, and managing all of them as an admin.',
  Customers:
    'The people who have ordered: their accounts, orders and totals, and the notes of admins about them.',
  ...providerGroupDescriptions,
  Payments: `Paying an order at ${paymentProvider.label}, and the payment notifications that ${paymentProvider.label} sends.`,
  'Plan subscriptions':
    'Monthly plans, which renew every month until they are cancelled: following, changing and cancelling your own, and managing all of them as an admin.',
  'Billing details':
    'What customers want to have on their invoices (company, address and VAT ID), and the tax that results from it.',
  Invoices:
    'Invoices and credit notes with their PDF files, corrections, and the seller’s details and rules. Documents never change once they are issued.',
  Projects:
    'The work of an order or a monthly plan, for customers and their colleagues: brief, thread, acceptance and report.',
  'Project files': 'The private files of projects: resumable upload, download and preview.',
  'Project work': 'Projects for staff: list, board, notes, checklist and handing over.',
  'Project templates':
    'What new projects of a package begin with, and when customers are reminded of a brief or a decision.',
  'Your team': 'The colleagues whom a customer has invited to see projects or to pay the bills.',
  'Audit log': 'Who changed what in the admin area.',
  'Content: the whole site':
    'All public content in one answer, earlier versions, restoring deleted records, and the order of records.',
  'Demo data':
    'The invented orders, customers and messages of a site with simulated payments, and their removal.',
  'Setting up': 'What a new site still needs, and the removal of the demo content.',
  Images: 'The library of uploaded pictures.',
  'API reference': 'This document, and the page that shows it.',
  ...Object.fromEntries(allSections.map((section) => [contentGroup(section), describeSection(section)])),
};

export function contentGroup({ labels }: Section): string {
  return `Content: ${labels.many}`;
}

function describeSection(section: Section): string {
  const amount =
    section.kind === 'singleton'
      ? 'At most one record, which can be changed but not deleted.'
      : `Up to ${section.limit} records.`;
  const readers = section.shownOn ? '' : ' Only admins may read them.';
  const pages = section.shownOn?.length ? ` Shown on: ${section.shownOn.join(', ')}.` : '';
  return amount + readers + pages;
}
