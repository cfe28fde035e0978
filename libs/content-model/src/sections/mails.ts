import { wordedMailNames } from '#libs/contracts';
import { choice, longText, optional, text } from '../field.js';
import { defineCollection } from '../section.js';

/** Which mails the site sends by itself, and in whose words. Without a record, or a text, the built-in words go out. */
export const mailText = defineCollection({
  name: 'mailText',
  labels: { one: 'mail text', many: 'mail texts' },
  fields: {
    mail: choice('Mail', wordedMailNames, { unique: true, help: 'One entry for each mail.' }),
    send: choice('Send it', ['Yes', 'No'], {
      help: 'No: nobody gets this mail any more. The newsletter confirmation always goes out, or nobody could sign up.',
    }),
    subject: optional(
      text('Subject', {
        advisedLength: 80,
        help: 'Empty: the built-in one. {orderId}, {packageName}, {price} and {name} stand for those of the order, in the text too.',
      }),
    ),
    text: optional(
      longText('Text', {
        help: 'Stands in place of the built-in words, above the facts. An empty line starts a paragraph.',
      }),
    ),
  },
  routes: { list: '/mail-texts', item: '/mail-text/:id', create: '/add-mail-text', update: '/mail-text/:id' },
  notices: { created: 'Mail Text is Added', updated: 'Mail Text is Updated' },
  limit: wordedMailNames.length,
});
