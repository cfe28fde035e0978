import type { z } from 'zod';
import type { accountMails, SecondFactorChange } from '#libs/contracts';
import { type Brand, button, facts, type Letter, text } from './letter.js';
import { moment } from './moment.js';

type Params<T extends keyof typeof accountMails> = z.output<(typeof accountMails)[T]>;

const unasked = 'If this wasn’t you, you can ignore this e-mail. Nothing changes unless you use the link.';
const alarmed = (brand: Brand) =>
  text(
    `If this wasn’t you, someone else may be using your account. Choose a new password at ${brand.siteUrl}/reset. This signs you out everywhere.`,
  );
const ofAnAccount = ({ name }: Brand) =>
  `You’re receiving this e-mail because you have an account at ${name}.`;

const until = (expiresAt: string | undefined) =>
  `You can use this link once${expiresAt === undefined ? '' : `, until ${moment(expiresAt)}`}.`;

const changes: Record<SecondFactorChange, [what: string, sentence: string]> = {
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
    'Someone signed in with one of your recovery codes. That code no longer works.',
  ],
  googleLinked: ['Google account linked', 'A Google account can now be used to sign in to your account.'],
  googleUnlinked: [
    'Google account unlinked',
    'The linked Google account can no longer be used to sign in to your account.',
  ],
};

/** The mails about an account. Each is a plain function: what it needs to know, to what it says. */
export const accountLetters: {
  [T in keyof typeof accountMails]: (params: Params<T>, brand: Brand) => Letter;
} = {
  verifyEmail: ({ link, expiresAt }, brand) => ({
    subject: `Confirm your e-mail address for ${brand.name}`,
    preheader: 'Click the link to finish setting up your account.',
    heading: 'Confirm your e-mail address',
    parts: [
      text(
        `Thanks for creating an account at ${brand.name}. Please confirm that this is your e-mail address.`,
      ),
      button('Confirm e-mail address', link),
      text(`${until(expiresAt)} ${unasked}`),
    ],
    reason: `You get this mail because this address was entered at ${brand.name}.`,
  }),
  resetPassword: ({ link, expiresAt }, brand) => ({
    subject: `Choose a new password for ${brand.name}`,
    preheader: 'Use this link to reset your password. It works once.',
    heading: 'Choose a new password',
    parts: [
      text(`We received a request to reset the password of your account at ${brand.name}.`),
      button('Choose a new password', link),
      text(`${until(expiresAt)} When you choose a new password, you’re signed out everywhere. ${unasked}`),
    ],
    reason: ofAnAccount(brand),
  }),
  changeEmail: ({ link, expiresAt }, brand) => ({
    subject: `Confirm your new e-mail address for ${brand.name}`,
    preheader: 'Your account keeps its current address until you confirm.',
    heading: 'Confirm your new e-mail address',
    parts: [
      text(
        `We received a request to use this address for an account at ${brand.name}. The account keeps its current address until you confirm this one.`,
      ),
      button('Confirm new address', link),
      text(`${until(expiresAt)} ${unasked}`),
    ],
    reason: `You get this mail because this address was entered at ${brand.name}.`,
  }),
  emailChanged: ({ newEmailMasked }, brand) => ({
    subject: `The e-mail address of your ${brand.name} account was changed`,
    preheader: `Your new address is ${newEmailMasked}.`,
    heading: 'Your e-mail address was changed',
    parts: [
      text(
        `Your account’s e-mail address is now ${newEmailMasked}. You can no longer sign in with this address.`,
      ),
      text(`If this wasn't you, answer this mail, or write to us at ${brand.siteUrl}/contact, at once.`),
    ],
    reason: ofAnAccount(brand),
  }),
  passwordChanged: (_params, brand) => ({
    subject: `Your ${brand.name} password was changed`,
    preheader: 'You’ve been signed out on all other devices.',
    heading: 'Your password was changed',
    parts: [
      text('The password of your account was changed. You’ve been signed out on all other devices.'),
      alarmed(brand),
    ],
    reason: ofAnAccount(brand),
  }),
  newSignIn: ({ device, when, place }, brand) => ({
    subject: `New sign-in to your ${brand.name} account`,
    preheader: `${device}, ${moment(when)}`,
    heading: 'New sign-in to your account',
    parts: [
      text('Someone signed in to your account from a device we haven’t seen before.'),
      facts(
        ['Device', device],
        ['When', moment(when)],
        ...(place === undefined ? [] : [['Where', place] as [string, string]]),
      ),
      text('If this was you, you don’t need to do anything.'),
      alarmed(brand),
    ],
    reason: ofAnAccount(brand),
  }),
  accountDeleted: (_params, brand) => ({
    subject: `Your ${brand.name} account was deleted`,
    preheader: 'This is the last e-mail about your account.',
    heading: 'Your account was deleted',
    parts: [
      text(
        'We’ve deleted your account and your personal details. We keep the amounts and dates of your orders, without your name and address.',
      ),
      text(`If this wasn't you, answer this mail, or write to us at ${brand.siteUrl}/contact, at once.`),
    ],
    reason: `You get this mail because of your account at ${brand.name}. This is the last one.`,
  }),
  secondFactorChanged: ({ what }, brand) => {
    const [heading, sentence] = changes[what];
    return {
      subject: `${heading}: your ${brand.name} account`,
      preheader: sentence,
      heading,
      parts: [text(sentence), alarmed(brand)],
      reason: ofAnAccount(brand),
    };
  },
};
