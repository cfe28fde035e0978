import { accountMails } from '#libs/contracts';
import { testLetter } from '../campaign/campaign-letter.js';
import { accountLetters } from './letters/account-letters.js';
import type { Brand, Letter } from './letters/letter.js';
import { confirmationLetter, noticeLetter } from './letters/notice-letters.js';

export interface MailTemplate {
  /** 0: somebody waits for it. 1: a notice. 2: a newsletter. */
  priority: 0 | 1 | 2;
  /** Params that leave the record when the mail is done with. */
  secrets: readonly string[];
  /** Nothing is kept of its address after it: it is forgotten soon, too. */
  isLast?: true;
  /** Throws for params that are not this template's. */
  write(params: unknown, brand: Brand): Letter;
}

function accountMail<T extends keyof typeof accountMails>(name: T): MailTemplate {
  const write = accountLetters[name] as (params: unknown, brand: Brand) => Letter;
  return {
    priority: 0,
    secrets: 'link' in accountMails[name].shape ? ['link'] : [],
    write: (params, brand) => write(accountMails[name].parse(params), brand),
  };
}

function notice(name: Parameters<typeof noticeLetter>[0]): MailTemplate {
  return { priority: 1, secrets: [], write: (params, brand) => noticeLetter(name, params, brand) };
}

/** Every mail there is, but for those of campaigns: `CampaignLetters` writes them. */
export const templates = {
  verifyEmail: accountMail('verifyEmail'),
  resetPassword: accountMail('resetPassword'),
  changeEmail: accountMail('changeEmail'),
  emailChanged: accountMail('emailChanged'),
  passwordChanged: accountMail('passwordChanged'),
  newSignIn: accountMail('newSignIn'),
  accountDeleted: { ...accountMail('accountDeleted'), isLast: true },
  secondFactorChanged: accountMail('secondFactorChanged'),
  orderPlaced: notice('orderPlaced'),
  orderPaid: notice('orderPaid'),
  orderCancelled: notice('orderCancelled'),
  orderRefunded: notice('orderRefunded'),
  orderPartlyRefunded: notice('orderPartlyRefunded'),
  orderPaidTwice: notice('orderPaidTwice'),
  orderPaymentFailed: notice('orderPaymentFailed'),
  orderDelivered: notice('orderDelivered'),
  paymentFlagged: notice('paymentFlagged'),
  messageReceived: notice('messageReceived'),
  confirmSubscription: { priority: 1, secrets: ['link'], write: confirmationLetter },
  campaignTest: { priority: 0, secrets: [], write: testLetter },
} satisfies Record<string, MailTemplate>;

export function isTemplate(name: string): name is keyof typeof templates {
  return Object.hasOwn(templates, name);
}
