import type { z } from 'zod';
import { accountMailParams, type SecondFactorChange } from '#libs/contracts';
import { type CustomizableEmail, customizableWriter } from '../mail/customizable-email.js';
import { button, details, type EmailContent, text } from '../mail/email-content.js';
import { formatMoment } from '../mail/format-moment.js';
import type { MailTemplate } from '../mail/mail-template.js';
import type { Brand } from '../site/brand.js';

type Params<T extends keyof typeof accountMailParams> = z.output<(typeof accountMailParams)[T]>;

const ignoreIfUnexpected =
  'If this wasn’t you, you can ignore this e-mail. Nothing changes unless you use the link.';
const accountAtRisk = (brand: Brand) =>
  text(
    `If this wasn’t you, someone else may be using your account. Choose a new password at ${brand.siteUrl}/reset. This signs you out everywhere.`,
  );
const accountReason = ({ name }: Brand) =>
  `You’re receiving this e-mail because you have an account at ${name}.`;

const usableOnce = (expiresAt: string | undefined) =>
  `You can use this link once${expiresAt === undefined ? '' : `, until ${formatMoment(expiresAt)}`}.`;

const secondFactorChanges: Record<SecondFactorChange, [heading: string, sentence: string]> = {
  totpAdded: [
    'Authenticator app added',
    'You’ll now need a code from your authenticator app when you sign in.',
  ],
  totpRemoved: [
    'Authenticator app removed',
    'You no longer need a code from your authenticator app when you sign in.',
  ],
  passkeyAdded: ['Passkey added', 'A new passkey can now be used to sign in to your account.'],
  passkeyRemoved: [
    'Passkey removed',
    'One of your passkeys can no longer be used to sign in to your account.',
  ],
  recoveryCodesRenewed: [
    'New recovery codes',
    'New recovery codes were created for your account. The old ones no longer work.',
  ],
  recoveryCodeUsed: [
    'Recovery code used',
    'Someone used one of your recovery codes to sign in or to confirm their identity. That code no longer works.',
  ],
};

export const newSignInEmail: CustomizableEmail = {
  occasion: 'To the account’s owner, after a sign-in from a new device',
  wording: {
    subject: 'New sign-in to your {siteName} account',
    text: 'Someone signed in to your account from a device we haven’t seen before.',
  },
  placeholders: { device: 'The browser and the operating system' },
  sampleParams: { device: 'Firefox on Windows', when: '2026-11-21T09:30:00.000Z', place: '203.0.113.7' },
  write(params, brand) {
    const { device, when, place } = accountMailParams.newSignIn.parse(params);
    return {
      preheader: `${device}, ${formatMoment(when)}`,
      heading: 'New sign-in to your account',
      values: { device },
      blocksAfter: [
        details(
          ['Device', device],
          ['When', formatMoment(when)],
          ...(place === undefined ? [] : [['Where', place] as [string, string]]),
        ),
        text('If this was you, you don’t need to do anything.'),
        accountAtRisk(brand),
      ],
      footerReason: accountReason(brand),
    };
  },
};

const accountEmails: {
  [T in keyof typeof accountMailParams]: (params: Params<T>, brand: Brand) => EmailContent;
} = {
  verifyEmail: ({ link, expiresAt }, brand) => ({
    subject: `Confirm your e-mail address for ${brand.name}`,
    preheader: 'Click the link to finish setting up your account.',
    heading: 'Confirm your e-mail address',
    blocks: [
      text(
        `Thanks for creating an account at ${brand.name}. Please confirm that this is your e-mail address.`,
      ),
      button('Confirm e-mail address', link),
      text(`${usableOnce(expiresAt)} ${ignoreIfUnexpected}`),
    ],
    footerReason: `You’re receiving this e-mail because this address was entered at ${brand.name}.`,
  }),
  resetPassword: ({ link, expiresAt }, brand) => ({
    subject: `Choose a new password for ${brand.name}`,
    preheader: 'Use this link to reset your password. It works once.',
    heading: 'Choose a new password',
    blocks: [
      text(`We received a request to reset the password of your account at ${brand.name}.`),
      button('Choose a new password', link),
      text(
        `${usableOnce(expiresAt)} When you choose a new password, you’re signed out everywhere. ${ignoreIfUnexpected}`,
      ),
    ],
    footerReason: accountReason(brand),
  }),
  changeEmail: ({ link, expiresAt }, brand) => ({
    subject: `Confirm your new e-mail address for ${brand.name}`,
    preheader: 'Your account keeps its current address until you confirm.',
    heading: 'Confirm your new e-mail address',
    blocks: [
      text(
        `We received a request to use this address for an account at ${brand.name}. The account keeps its current address until you confirm this one.`,
      ),
      button('Confirm new address', link),
      text(`${usableOnce(expiresAt)} ${ignoreIfUnexpected}`),
    ],
    footerReason: `You’re receiving this e-mail because this address was entered at ${brand.name}.`,
  }),
  emailChanged: ({ newEmailMasked }, brand) => ({
    subject: `The e-mail address of your ${brand.name} account was changed`,
    preheader: `Your new address is ${newEmailMasked}.`,
    heading: 'Your e-mail address was changed',
    blocks: [
      text(
        `Your account’s e-mail address is now ${newEmailMasked}. You can no longer sign in with your old address.`,
      ),
      text(
        `If this wasn’t you, contact us right away: reply to this e-mail or go to ${brand.siteUrl}/contact.`,
      ),
    ],
    footerReason: accountReason(brand),
  }),
  passwordChanged: (_params, brand) => ({
    subject: `Your ${brand.name} password was changed`,
    preheader: 'You’ve been signed out on all other devices.',
    heading: 'Your password was changed',
    blocks: [
      text('The password of your account was changed. You’ve been signed out on all other devices.'),
      accountAtRisk(brand),
    ],
    footerReason: accountReason(brand),
  }),
  newSignIn: customizableWriter('newSignIn', newSignInEmail),
  accountDeleted: (_params, brand) => ({
    subject: `Your ${brand.name} account was deleted`,
    preheader: 'If this wasn’t you, contact us right away.',
    heading: 'Your account was deleted',
    blocks: [
      text(
        'We’ve deleted your account and your personal details. We keep the amounts and dates of your orders, without your name and address, and the content of your projects, without your name. If you have invoices, the law requires us to keep them.',
      ),
      text(
        `If this wasn’t you, contact us right away: reply to this e-mail or go to ${brand.siteUrl}/contact.`,
      ),
    ],
    footerReason: `You’re receiving this e-mail because you had an account at ${brand.name}.`,
  }),
  secondFactorChanged: ({ what }, brand) => {
    const [heading, sentence] = secondFactorChanges[what];
    return {
      subject: `${heading}: your ${brand.name} account`,
      preheader: sentence,
      heading,
      blocks: [text(sentence), accountAtRisk(brand)],
      footerReason: accountReason(brand),
    };
  },
  adminInvitation: ({ link, expiresAt, invitedBy }, brand) => ({
    subject: `You’re invited to manage ${brand.name}`,
    preheader: `${invitedBy} invited you to become an admin.`,
    heading: `Join the ${brand.name} team`,
    blocks: [
      text(
        `${invitedBy} invited you to become an admin of ${brand.name}. Admins manage the site, its orders and customers.`,
      ),
      button('Open the invitation', link),
      text(`${usableOnce(expiresAt)} If you don’t know the sender, you can ignore this e-mail.`),
    ],
    footerReason: `You’re receiving this e-mail because ${invitedBy} invited you to ${brand.name}.`,
  }),
  teamInvitation: ({ link, expiresAt, ownerName, role }, brand) => ({
    subject: `${ownerName} invited you to work with ${brand.name}`,
    preheader: `Join the team of ${ownerName}.`,
    heading: `Join the team of ${ownerName}`,
    blocks: [
      text(
        role === 'member'
          ? `${ownerName} invited you to their projects at ${brand.name}. You’ll be able to answer questions, write messages and share files.`
          : `${ownerName} invited you to look after their orders at ${brand.name}. You’ll be able to see and pay orders, invoices and monthly plans.`,
      ),
      button('Open the invitation', link),
      text(
        `${usableOnce(expiresAt)} Sign in, or create an account, with this e-mail address. If you don’t know the sender, you can ignore this e-mail.`,
      ),
    ],
    footerReason: `You’re receiving this e-mail because ${ownerName} invited you to ${brand.name}.`,
  }),
};

function template(name: keyof typeof accountMailParams): MailTemplate {
  const write = accountEmails[name] as (params: unknown, brand: Brand) => EmailContent;
  return {
    priority: 0,
    secrets: 'link' in accountMailParams[name].shape ? ['link'] : [],
    ...(name === 'accountDeleted' && { isLastToAccount: true }),
    write: (params, brand) => write(accountMailParams[name].parse(params), brand),
  };
}

export const accountTemplates = Object.fromEntries(
  Object.keys(accountMailParams).map((name) => [name, template(name as keyof typeof accountMailParams)]),
) as Record<keyof typeof accountMailParams, MailTemplate>;
