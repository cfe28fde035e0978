import { Injectable } from '@nestjs/common';
import {
  type AdminMail,
  type CustomizableMail,
  customizableMails,
  type EmailPreview,
  fixedMails,
  type HandlerInputs,
  mailContract,
  type MailTemplateInfo,
  notificationEmails,
} from '#libs/contracts';
import { Handles, type RequestContext } from '#libs/transport';
import { placeholdersOf } from '../mail/customizable-email.js';
import { renderHtml } from '../mail/render-html.js';
import { renderText } from '../mail/render-text.js';
import { TestMailService } from '../mail/test-mail.service.js';
import { BrandService } from '../site/brand.service.js';
import { customizableEmails } from './customizable-emails.js';
import { sampleEmail, mailTemplateTestTemplate } from './mail-template-test-email.js';

type Input = HandlerInputs<typeof mailContract>;

/** Which of these mails each admin can switch off for themselves. */
const canSwitchOff: Readonly<Record<AdminMail, boolean>> = {
  adminOrderPlaced: true,
  adminOrderPaid: true,
  adminOrderRefunded: true,
  adminPlanStopped: true,
  adminProjectBrief: true,
  adminProjectChanges: true,
  adminProjectAccepted: true,
  adminProjectMessages: true,
  paymentReceiverChanged: false,
  adminListChanged: false,
};

const fixedMailOccasions: Record<keyof typeof fixedMails, string> = {
  adminOrderPlaced: 'To admins, when a customer places an order',
  adminOrderPaid: 'To admins, when a payment is confirmed or a dispute is closed',
  adminOrderRefunded: 'To admins, when money is refunded but the order isn’t cancelled',
  adminPlanStopped: 'To admins, when a monthly plan is cancelled, is suspended or ends',
  adminProjectBrief:
    'To the assigned staff, or to all admins if nobody is assigned, when a customer completes a brief',
  adminProjectChanges:
    'To the assigned staff, or to all admins if nobody is assigned, when a customer asks for changes',
  adminProjectAccepted:
    'To the assigned staff, or to all admins if nobody is assigned, when a customer accepts your work',
  adminProjectMessages:
    'To the assigned staff, or to all admins if nobody is assigned, when they haven’t read a customer’s messages for five minutes',
  paymentReceiverChanged: 'To all admins, when the account that receives payments changes',
  adminListChanged:
    'To all admins when the list of admins changes, and to an address that was removed from it',
  verifyEmail: 'To a new customer, to confirm their address',
  resetPassword: 'To someone who asks for a new password',
  changeEmail: 'To an account’s new address, to confirm the change',
  emailChanged: 'To the old address, when an account’s address is changed',
  passwordChanged: 'To the account’s owner, when the password is changed',
  accountDeleted: 'To the account’s owner, after they delete it',
  secondFactorChanged: 'To the account’s owner, when a sign-in method is changed or a recovery code is used',
  adminInvitation: 'To someone you invite to become an admin',
  teamInvitation: 'To a customer’s colleague, when the customer invites them',
  messageReply: 'To the sender of a message, when you reply',
  campaign: 'To subscribers, when you send a campaign',
  campaignTest: 'To you, when you send a test of a campaign',
  mailTemplateTest: 'To you, when you send a test of a template',
};

/** Changed texts are stored as content (section `mailText`). */
@Injectable()
export class MailTextService {
  constructor(
    private readonly brand: BrandService,
    private readonly testMails: TestMailService,
  ) {}

  @Handles(mailContract.listMailTemplates)
  list(): MailTemplateInfo[] {
    return [
      ...Object.entries(customizableMails).map(([template, name]) =>
        customizableInfo(template as CustomizableMail, name),
      ),
      ...Object.entries(fixedMails).map(([template, name]) => ({
        template,
        name,
        sent: fixedMailOccasions[template as keyof typeof fixedMails],
        switchedBy:
          template in canSwitchOff && canSwitchOff[template as AdminMail]
            ? ('admin' as const)
            : ('nobody' as const),
        wording: null,
      })),
    ];
  }

  @Handles(mailContract.previewMailTemplate)
  async preview(wording: Input['previewMailTemplate']): Promise<EmailPreview> {
    const brand = await this.brand.current();
    const email = sampleEmail(wording, brand);
    return { subject: email.subject, html: renderHtml(email, brand), text: renderText(email, brand) };
  }

  @Handles(mailContract.testMailTemplate)
  test(wording: Input['testMailTemplate'], context: RequestContext): Promise<{ _id: string; to: string }> {
    return this.testMails.send(context, 'mailTemplateTest', mailTemplateTestTemplate, () =>
      Promise.resolve({ params: { ...wording } }),
    );
  }
}

function customizableInfo(template: CustomizableMail, name: string): MailTemplateInfo {
  const email = customizableEmails[template];
  return {
    template,
    name,
    sent: email.occasion,
    // `site`: an admin can switch the mail off for everybody, in its content record.
    switchedBy: Object.hasOwn(notificationEmails, template) ? 'site' : 'nobody',
    wording: {
      ...email.wording,
      placeholders: Object.entries(placeholdersOf(email)).map(([placeholder, meaning]) => ({
        name: placeholder,
        meaning,
      })),
    },
  };
}
