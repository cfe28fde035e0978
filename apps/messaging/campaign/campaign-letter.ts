import type { CampaignContent } from '#libs/contracts';
import type { Brand, Letter } from '../mail/letters/letter.js';
import { readLetterBody } from './letter-body.js';

/** A campaign's letter, but for what differs from one recipient to the next. */
export function campaignLetter({ subject, preheader, body }: CampaignContent, brand: Brand): Letter {
  const [first, ...rest] = readLetterBody(body, brand.siteUrl);
  const begins = first?.kind === 'heading' ? first.text : undefined;
  return {
    subject,
    preheader,
    heading: begins ?? subject,
    parts: begins === undefined && first ? [first, ...rest] : rest,
    reason: `You get this mail because you subscribed to the newsletter of ${brand.name}.`,
  };
}
