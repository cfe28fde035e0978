import { z } from 'zod';
import { preheaderFrom, quote, text } from '../mail/email-content.js';
import { formatMoment } from '../mail/format-moment.js';
import type { MailTemplate } from '../mail/mail-template.js';

const replyParams = z.object({
  reply: z.string(),
  subject: z.string(),
  message: z.string(),
  sentAt: z.iso.datetime(),
});
export type ReplyParams = z.output<typeof replyParams>;

export const messageReplyTemplate: MailTemplate = {
  priority: 0,
  secrets: [],
  write(params, brand) {
    const { reply, subject, message, sentAt } = replyParams.parse(params);
    return {
      subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
      preheader: preheaderFrom(reply),
      heading: `${brand.name} replied to your message`,
      blocks: [text(reply), text(`You wrote on ${formatMoment(sentAt)}:`), quote(message)],
      footerReason: `You’re receiving this e-mail because you sent a message to ${brand.name}.`,
    };
  },
};
