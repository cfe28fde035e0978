import type { CustomizableMail } from '#libs/contracts';
import { newSignInEmail } from '../account-mail/account-emails.js';
import type { CustomizableEmail } from '../mail/customizable-email.js';
import { customizableNotificationEmails } from '../notification/notification-emails.js';
import { confirmationEmail } from '../subscriber/confirmation-email.js';

export const customizableEmails: Readonly<Record<CustomizableMail, CustomizableEmail>> = {
  ...customizableNotificationEmails,
  newSignIn: newSignInEmail,
  confirmSubscription: confirmationEmail,
};
