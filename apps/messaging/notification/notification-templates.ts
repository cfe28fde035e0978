import type { MailTemplate } from '../mail/mail-template.js';
import { adminTemplates } from './admin-emails.js';
import { customizableNotificationTemplates } from './notification-emails.js';

export const notificationTemplates = {
  ...customizableNotificationTemplates,
  ...adminTemplates,
} satisfies Record<string, MailTemplate>;
export type NotificationName = keyof typeof notificationTemplates;
