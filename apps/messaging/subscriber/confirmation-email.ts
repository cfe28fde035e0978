import { z } from 'zod';
import { newsletterConsent } from '#libs/contracts';
import { button, type EmailContent, text } from '../mail/email-content.js';
import { formatMoment } from '../mail/format-moment.js';
import type { MailTemplate } from '../mail/mail-template.js';
import type { Brand } from '../site/brand.js';

const confirmationParams = z.object({
  link: z.url(),
  expiresAt: z.iso.datetime(),
  consent: z.string().default(newsletterConsent),
});

function write(params: unknown, brand: Brand): EmailContent {
  const { link, expiresAt, consent } = confirmationParams.parse(params);
  const custom = brand.customTexts?.get('confirmSubscription');
  return {
    subject: custom?.subject || `Confirm your subscription to the ${brand.name} newsletter`,
    preheader: 'Click the link to confirm your subscription.',
    heading: 'Confirm your subscription',
    blocks: [
      text(custom?.text || `We received a request to send the ${brand.name} newsletter to this address.`),
      { kind: 'quote', text: consent },
      button('Confirm subscription', link),
      text(
        `You can use this link once, until ${formatMoment(expiresAt)}. If this wasn’t you, you can ignore this e-mail. We won’t send you the newsletter unless you confirm.`,
      ),
    ],
    reason: `You’re receiving this e-mail because this address was entered at ${brand.name}.`,
  };
}

/** Asks the owner of an address to confirm the newsletter. It contains no text of the person who entered the address. */
export const confirmationTemplate: MailTemplate = { priority: 1, secrets: ['link'], write };
