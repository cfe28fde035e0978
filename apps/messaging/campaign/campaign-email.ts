import { type CampaignContent, campaignContent } from '#libs/contracts';
import type { EmailContent } from '../mail/email-content.js';
import type { MailTemplate } from '../mail/mail-template.js';
import type { Brand } from '../site/brand.js';
import { parseMarkdown } from '../mail/markdown-blocks.js';

/** A campaign's e-mail, without the recipient's link to unsubscribe. A heading at the start of the text becomes the e-mail's heading. */
export function campaignEmail({ subject, preheader, body }: CampaignContent, brand: Brand): EmailContent {
  const blocks = parseMarkdown(body, brand.siteUrl);
  const [first, ...rest] = blocks;
  return {
    ...(first?.kind === 'heading' ? { heading: first.text, blocks: rest } : { heading: subject, blocks }),
    subject,
    preheader,
    reason: `You’re receiving this e-mail because you subscribed to the ${brand.name} newsletter.`,
  };
}

/** A campaign's e-mail for admins to look at. Its link to unsubscribe belongs to nobody. */
export function sampleEmail(content: CampaignContent, brand: Brand): EmailContent {
  return { ...campaignEmail(content, brand), unsubscribeUrl: `${brand.siteUrl}/unsubscribe` };
}

/** The test mail of a campaign, to the admin who asks for it. */
export const campaignTestTemplate: MailTemplate = {
  priority: 0,
  secrets: [],
  write(params, brand) {
    const email = sampleEmail(campaignContent.parse(params), brand);
    return { ...email, subject: `[Test] ${email.subject}` };
  },
};
