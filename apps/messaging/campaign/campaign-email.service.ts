import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CampaignContent } from '#libs/contracts';
import type { Brand, Letter } from '../mail/letters/letter.js';
import type { LeasedMail } from '../mail/mail-queue.js';
import { unsubscribeUrl } from '../subscriber/subscription-links.js';
import { campaignLetter } from './campaign-letter.js';

/** More are seldom sent at once. */
const rememberedAtMost = 10;

/** What a campaign's mails say, each to its recipient. */
@Injectable()
export class CampaignLetters {
  /** Of campaigns that are being sent, whose words no longer change. */
  private readonly remembered = new Map<string, CampaignContent>();

  constructor(private readonly dataSource: DataSource) {}

  /** `unwanted`: the recipient is gone, or does not want it any more, or it was cancelled. */
  async letterOf(
    { campaignId, subscriberId }: Pick<LeasedMail, 'campaignId' | 'subscriberId'>,
    brand: Brand,
  ): Promise<Letter | 'unwanted'> {
    const [recipient] = await this.dataSource.query<{ linkSecret: string }[]>(
      `SELECT link_secret AS "linkSecret" FROM subscribers, campaigns
       WHERE subscribers.id = $1 AND status = 'subscribed' AND campaigns.id = $2 AND state IN ('sending', 'paused')`,
      [subscriberId, campaignId],
    );
    if (!recipient) return 'unwanted';
    const content = await this.contentOf(campaignId!);
    const link = unsubscribeUrl(brand.siteUrl, { id: subscriberId!, linkSecret: recipient.linkSecret });
    return { ...campaignLetter(content, brand), unsubscribeUrl: `${link}&campaign=${campaignId}` };
  }

  private async contentOf(id: string): Promise<CampaignContent> {
    const known = this.remembered.get(id);
    if (known) return known;
    const [content] = await this.dataSource.query<[CampaignContent]>(
      `SELECT subject, preheader, body FROM campaigns WHERE id = $1`,
      [id],
    );
    this.remembered.set(id, content);
    if (this.remembered.size > rememberedAtMost) this.remembered.delete(this.remembered.keys().next().value!);
    return content;
  }
}
