import { accountTemplates } from '../account-mail/account-emails.js';
import { campaignTestTemplate } from '../campaign/campaign-email.js';
import type { MailTemplate } from '../mail/mail-template.js';
import { mailTemplateTestTemplate } from '../mail-text/mail-template-test-email.js';
import { messageReplyTemplate } from '../message/message-reply-email.js';
import { notificationTemplates } from '../notification/notification-templates.js';
import { confirmationTemplate } from '../subscriber/confirmation-email.js';

const emailTemplates: Readonly<Record<string, MailTemplate>> = {
  ...accountTemplates,
  ...notificationTemplates,
  confirmSubscription: confirmationTemplate,
  campaignTest: campaignTestTemplate,
  messageReply: messageReplyTemplate,
  mailTemplateTest: mailTemplateTestTemplate,
};

/** The mails of campaigns have none: `CampaignEmailService` writes them. */
export function findTemplate(name: string): MailTemplate | undefined {
  return Object.hasOwn(emailTemplates, name) ? emailTemplates[name] : undefined;
}
