import { type CampaignContent, campaignContent } from '#libs/contracts';
import type { EmailContent } from '../mail/email-content.js';
import type { MailTemplate } from '../mail/mail-template.js';
import type { Brand } from '../site/brand.js';
import { parseMarkdown } from '../mail/markdown-blocks.js';

/**
 * The content has no link to unsubscribe, because each recipient has their own. If the text begins with a heading that contains no link, this
 * heading becomes the e-mail's heading.
 */
export function campaignEmail({ subject, preheader, body }: CampaignContent, brand: Brand): EmailContent {
  const blocks = parseMarkdown(body, brand.siteUrl);
  const [first, ...rest] = blocks;
  const isPlainHeading = first?.kind === 'heading' && first.runs.every(({ url }) => url === undefined);
  return {
    ...(isPlainHeading
      ? { heading: first.runs.map(({ text }) => text).join(''), blocks: rest }
      : { heading: subject, blocks }),
    subject,
    preheader,
    footerReason: `You’re receiving this e-mail because you subscribed to the ${brand.name} newsletter.`,
  };
}

/** For previews and test mails. The link to unsubscribe has no token, because the e-mail belongs to no subscriber. */
export function sampleEmail(content: CampaignContent, brand: Brand): EmailContent {
  return { ...campaignEmail(content, brand), unsubscribeUrl: `${brand.siteUrl}/unsubscribe` };
}

export const campaignTestTemplate: MailTemplate = {
  priority: 0,
  secrets: [],
  write(params, brand) {
    const email = sampleEmail(campaignContent.parse(params), brand);
    return { ...email, subject: `[Test] ${email.subject}` };
  },
};
