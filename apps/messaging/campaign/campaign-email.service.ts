import { Injectable } from '@nestjs/common';
import type { CampaignContent } from '#libs/contracts';
import type { EmailContent } from '../mail/email-content.js';
import type { Brand } from '../site/brand.js';
import { unsubscribeUrl } from '../subscriber/newsletter-links.js';
import { campaignEmail } from './campaign-email.js';
import { CampaignRepository } from './campaign.repository.js';

const maxCached = 10;

/** The mail is not to be sent. */
export interface Unwanted {
  unwantedBecause: string;
}

@Injectable()
export class CampaignEmailService {
  /** By the id of the campaign. The content of a campaign that has started cannot change any more. */
  private readonly cache = new Map<string, CampaignContent>();

  constructor(private readonly campaigns: CampaignRepository) {}

  async write(campaignId: string, subscriberId: string, brand: Brand): Promise<EmailContent | Unwanted> {
    const linkSecret = await this.campaigns.linkSecretOf(campaignId, subscriberId);
    if (linkSecret === undefined) return { unwantedBecause: 'The campaign was cancelled.' };
    if (linkSecret === null) return { unwantedBecause: 'The recipient is no longer subscribed.' };
    const content = await this.contentOf(campaignId);
    const link = unsubscribeUrl(brand.siteUrl, { id: subscriberId, linkSecret });
    return { ...campaignEmail(content, brand), unsubscribeUrl: `${link}&campaign=${campaignId}` };
  }

  private async contentOf(id: string): Promise<CampaignContent> {
    const cached = this.cache.get(id);
    if (cached) return cached;
    const content = await this.campaigns.content(id);
    this.cache.set(id, content);
    if (this.cache.size > maxCached) this.cache.delete(this.cache.keys().next().value!);
    return content;
  }
}
