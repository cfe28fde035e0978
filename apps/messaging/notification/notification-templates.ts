import type { MailTemplate } from '../mail/mail-template.js';
import { adminTemplates } from './admin-emails.js';
import { customizableNotificationTemplates } from './notification-emails.js';

/** The templates of notification e-mails: those whose text admins can change, and those to admins with a fixed text. */
export const notificationTemplates = {
  ...customizableNotificationTemplates,
  ...adminTemplates,
} satisfies Record<string, MailTemplate>;
export type NotificationName = keyof typeof notificationTemplates;
