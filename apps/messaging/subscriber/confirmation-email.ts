import { z } from 'zod';
import { newsletterConsent } from '#libs/contracts';
import { type CustomizableEmail, customizableWriter } from '../mail/customizable-email.js';
import { button, quote, text } from '../mail/email-content.js';
import { formatMoment } from '../mail/format-moment.js';
import type { MailTemplate } from '../mail/mail-template.js';

const confirmationParams = z.object({
  link: z.url(),
  expiresAt: z.iso.datetime(),
  consent: z.string().default(newsletterConsent),
});

export const confirmationEmail: CustomizableEmail = {
  occasion: 'To someone who signs up for the newsletter',
  wording: {
    subject: 'Confirm your subscription to the {siteName} newsletter',
    text: 'We received a request to send the {siteName} newsletter to this address.',
  },
  placeholders: {},
  sampleParams: { link: 'https://example.com/subscription', expiresAt: '2026-11-28T12:00:00.000Z' },
  write(params, brand) {
    const { link, expiresAt, consent } = confirmationParams.parse(params);
    return {
      preheader: 'Click the link to confirm your subscription.',
      heading: 'Confirm your subscription',
      values: {},
      blocksAfter: [
        quote(consent),
        button('Confirm subscription', link),
        text(
          `You can use this link once, until ${formatMoment(expiresAt)}. If this wasn’t you, you can ignore this e-mail. We won’t send you the newsletter unless you confirm.`,
        ),
      ],
      footerReason: `You’re receiving this e-mail because this address was entered at ${brand.name}.`,
    };
  },
};

/** The mail has no text from the person who entered the address, so nobody can use it to send messages to other people. */
export const confirmationTemplate: MailTemplate = {
  priority: 1,
  secrets: ['link'],
  write: customizableWriter('confirmSubscription', confirmationEmail),
};
