import { type MailWording, mailWording } from '#libs/contracts';
import { writeEmail } from '../mail/customizable-email.js';
import type { EmailContent } from '../mail/email-content.js';
import type { MailTemplate } from '../mail/mail-template.js';
import { type Brand, customTextOf } from '../site/brand.js';
import { customizableEmails } from './customizable-emails.js';

export function sampleEmail({ template, subject, text }: MailWording, brand: Brand): EmailContent {
  const email = customizableEmails[template];
  return writeEmail(email, email.sampleParams, brand, customTextOf({ subject, text }));
}

export const mailTemplateTestTemplate: MailTemplate = {
  priority: 0,
  secrets: [],
  write(params, brand) {
    const email = sampleEmail(mailWording.parse(params), brand);
    return { ...email, subject: `[Test] ${email.subject}` };
  },
};
