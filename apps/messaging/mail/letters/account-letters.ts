import type { z } from 'zod';
import type { accountMails, SecondFactorChange } from '#libs/contracts';
import { type Brand, button, facts, type Letter, text } from './letter.js';
import { moment } from './moment.js';

type Params<T extends keyof typeof accountMails> = z.output<(typeof accountMails)[T]>;

const unasked = "If this wasn't you, you can leave this mail alone: nothing happens without the link.";
const alarmed = (brand: Brand) =>
  text(
    `If this wasn't you, somebody else may be using your account. Choose a new password at ${brand.siteUrl}/reset: that ends every session.`,
  );
const ofAnAccount = ({ name }: Brand) => `You get this mail because of your account at ${name}.`;

const until = (expiresAt: string | undefined) =>
  `The link works once${expiresAt === undefined ? '' : `, until ${moment(expiresAt)}`}.`;

const changes: Record<SecondFactorChange, [what: string, sentence: string]> = {
  totpAdded: ['Second step added', 'Signing in now also asks for a code from your authenticator app.'],
  totpRemoved: ['Second step removed', 'Signing in no longer asks for a code from your authenticator app.'],
  passkeyAdded: ['Passkey added', 'A new passkey can sign in to your account.'],
  passkeyRemoved: ['Passkey removed', 'A passkey can no longer sign in to your account.'],
  recoveryCodesRenewed: ['New recovery codes', 'New recovery codes were made. The old ones no longer work.'],
  recoveryCodeUsed: ['Recovery code used', 'A recovery code was used to sign in. It does not work again.'],
  googleLinked: ['Google account linked', 'A Google account can now sign in to your account.'],
  googleUnlinked: ['Google account unlinked', 'The linked Google account can no longer sign in.'],
};

/** The mails about an account. Each is a plain function: what it needs to know, to what it says. */
export const accountLetters: {
  [T in keyof typeof accountMails]: (params: Params<T>, brand: Brand) => Letter;
} = {
  verifyEmail: ({ link, expiresAt }, brand) => ({
    subject: `Confirm your e-mail address for ${brand.name}`,
    preheader: 'One click, and your account is complete.',
    heading: 'Confirm your e-mail address',
    parts: [
      text(`Somebody, hopefully you, made an account at ${brand.name} with this address.`),
      button('Confirm this address', link),
      text(`${until(expiresAt)} ${unasked}`),
    ],
    reason: `You get this mail because this address was entered at ${brand.name}.`,
  }),
  resetPassword: ({ link, expiresAt }, brand) => ({
    subject: `Choose a new password for ${brand.name}`,
    preheader: 'The link works once.',
    heading: 'Choose a new password',
    parts: [
      text(`A new password was asked for, for your account at ${brand.name}.`),
      button('Choose a new password', link),
      text(`${until(expiresAt)} It ends every session of your account. ${unasked}`),
    ],
    reason: ofAnAccount(brand),
  }),
  changeEmail: ({ link, expiresAt }, brand) => ({
    subject: `Confirm your new e-mail address for ${brand.name}`,
    preheader: 'Until then, the old one stays.',
    heading: 'Confirm your new e-mail address',
    parts: [
      text(
        `This address is to become that of an account at ${brand.name}. Until you confirm it, the old one stays.`,
      ),
      button('Use this address', link),
      text(`${until(expiresAt)} ${unasked}`),
    ],
    reason: `You get this mail because this address was entered at ${brand.name}.`,
  }),
  emailChanged: ({ newEmailMasked }, brand) => ({
    subject: `The e-mail address of your ${brand.name} account was changed`,
    preheader: `It is now ${newEmailMasked}.`,
    heading: 'Your e-mail address was changed',
    parts: [
      text(`Your account now has the address ${newEmailMasked}. This address is no longer used for it.`),
      text(`If this wasn't you, answer this mail, or write to us at ${brand.siteUrl}/contact, at once.`),
    ],
    reason: ofAnAccount(brand),
  }),
  passwordChanged: (_params, brand) => ({
    subject: `Your ${brand.name} password was changed`,
    preheader: 'Every other session was ended.',
    heading: 'Your password was changed',
    parts: [
      text('The password of your account was changed, and every other session was ended.'),
      alarmed(brand),
    ],
    reason: ofAnAccount(brand),
  }),
  newSignIn: ({ device, when, place }, brand) => ({
    subject: `New sign-in to your ${brand.name} account`,
    preheader: `${device}, ${moment(when)}`,
    heading: 'A new device signed in',
    parts: [
      text('Your account was used from a device that we have not seen before.'),
      facts(
        ['Device', device],
        ['When', moment(when)],
        ...(place === undefined ? [] : [['Where', place] as [string, string]]),
      ),
      text("If this was you, there's nothing to do."),
      alarmed(brand),
    ],
    reason: ofAnAccount(brand),
  }),
  accountDeleted: (_params, brand) => ({
    subject: `Your ${brand.name} account was deleted`,
    preheader: 'This is the last mail about it.',
    heading: 'Your account was deleted',
    parts: [
      text(
        'Your account and what it held about you are gone. Orders keep their amounts and dates, without your name and address.',
      ),
      text(`If this wasn't you, answer this mail, or write to us at ${brand.siteUrl}/contact, at once.`),
    ],
    reason: `You get this mail because of your account at ${brand.name}. There will be no other.`,
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
