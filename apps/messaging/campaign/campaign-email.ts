import { type CampaignContent, campaignContent } from '#libs/contracts';
import type { Brand, Letter } from '../mail/letters/letter.js';
import { readLetterBody } from './letter-body.js';

/** A campaign's letter, but for what differs from one recipient to the next. */
export function campaignLetter({ subject, preheader, body }: CampaignContent, brand: Brand): Letter {
  const parts = readLetterBody(body, brand.siteUrl);
  const [first, ...rest] = parts;
  const begun =
    first?.kind === 'heading' ? { heading: first.text, parts: rest } : { heading: subject, parts };
  return {
    ...begun,
    subject,
    preheader,
    reason: `You’re receiving this e-mail because you subscribed to the ${brand.name} newsletter.`,
  };
}

/** What an admin gets to look at. Its link to unsubscribe is nobody's. */
export function testLetter(params: unknown, brand: Brand): Letter {
  const letter = campaignLetter(campaignContent.parse(params), brand);
  return { ...letter, subject: `[Test] ${letter.subject}`, unsubscribeUrl: `${brand.siteUrl}/unsubscribe` };
}
