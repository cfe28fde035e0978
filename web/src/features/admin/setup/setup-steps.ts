import type { SetupGuide, SetupStep } from '#libs/contracts';
import { contentScreens, editAddressOf } from '../content-screens.js';

export type GuideStep = SetupGuide['steps'][number];

interface StepWords {
  title: string;
  text: string;
  /** The field that the link leads to; empty if it leads only to the screen. */
  field: string;
}

export const setupSteps: Record<SetupStep, StepWords> = {
  siteName: {
    title: 'Name your site',
    text: 'Customers see the name in page titles, e-mails and receipts.',
    field: 'siteName',
  },
  logo: {
    title: 'Add your logo',
    text: 'It’s in the header and footer of every page, and in e-mails.',
    field: 'logo',
  },
  paypalEmail: {
    title: 'Set up PayPal',
    text: 'Set the e-mail of the PayPal account that receives payments, or connect PayPal Checkout.',
    field: 'paypalEmail',
  },
  prices: {
    title: 'Set your packages and prices',
    text: 'The pricing page shows only packages named Basic, Premium and Standard.',
    field: 'packagePrice',
  },
  team: {
    title: 'Introduce your team',
    text: 'Names, photos and links on the services page.',
    field: 'membername',
  },
  legalTexts: {
    title: 'Write your terms and privacy policy',
    text: 'Customers accept your terms when they order.',
    field: '',
  },
  pageTitles: {
    title: 'Write a title for search results',
    text: 'The landing page’s title and description in Google and in link previews.',
    field: 'title',
  },
  mailSender: {
    title: 'Send e-mails from your own address',
    text: 'Ask your server’s administrator to set MAIL_FROM to an address at your domain.',
    field: '',
  },
};

const addressesOutsideContent: Partial<Record<SetupStep, (id: string | null) => string>> = {
  paypalEmail: (id) => (id ? `/paypal-email/${id}` : '/add-paypal-Email'),
  mailSender: () => '/sent-mail',
};

/** The address of the screen for this step, with the field to fill as the fragment. */
export function stepAddressOf({ step, section, recordId }: GuideStep): string {
  const { field } = setupSteps[step];
  const address = addressesOutsideContent[step]?.(recordId) ?? contentAddressOf(section, recordId);
  return field ? `${address}#${field}` : address;
}

function contentAddressOf(section: string | null, recordId: string | null): string {
  const screen = contentScreens.find(({ parts }) => parts.some((part) => part.section.name === section));
  const part = screen?.parts.find((candidate) => candidate.section.name === section);
  if (!screen || !part) return '/setting';
  return recordId ? editAddressOf(part, recordId) : screen.path;
}

export const isDoneOrPostponed = ({ state, postponed }: GuideStep) => state === 'done' || postponed;
