import { customizableMailNames } from '#libs/contracts';
import { choice, longText, optional, text } from '../field.js';
import { defineCollection } from '../section.js';

/** A record switches a mail off, or replaces its default subject or text. A mail without a record is sent as it is. */
export const mailText = defineCollection({
  name: 'mailText',
  labels: { one: 'mail template', many: 'mail templates' },
  onePer: 'mail',
  fields: {
    mail: choice('Mail', customizableMailNames, {
      unique: true,
      help: 'Each e-mail has at most one template.',
    }),
    send: choice('Send this e-mail', ['Yes', 'No'], {
      help: 'Choose No to stop sending this e-mail. The newsletter confirmation is always sent, because nobody could sign up without it.',
    }),
    subject: optional(
      text('Subject', {
        recommendedLength: 80,
        help: 'Leave empty to use the default subject.',
      }),
    ),
    text: optional(
      longText('Text', {
        help: 'Shown above the details. Leave empty to use the default text. An empty line starts a new paragraph.',
      }),
    ),
  },
  routes: { list: '/mail-texts', one: '/mail-text/:id', create: '/add-mail-text', update: '/mail-text/:id' },
  toasts: { created: 'Mail Template is Added', updated: 'Mail Template is Updated' },
  limit: customizableMailNames.length,
});
