import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { demoCampaignSubject, type DemoData, demoDomain } from '#libs/contracts';

type Counts = Pick<DemoData, 'messages' | 'subscribers' | 'campaigns'>;

const demoAddress = `%@${demoDomain}`;

/** Fragments of SQL that select demo records; TypeORM's `sql` tag inserts what a function returns as it is. */
const ofDemo = (column: string) => () => `lower(${column}) LIKE '${demoAddress}'`;
/** The demo campaign, unless somebody other than a demo subscriber got it. */
const demoCampaign = () => `subject = '${demoCampaignSubject}' AND NOT EXISTS (
  SELECT 1 FROM mails WHERE campaign_id = campaigns.id AND NOT ${ofDemo('to_address')()})`;

/** Demo messages, subscribers and campaigns, and the mails to and about demo customers. Reads and deletes rows in the tables of several other repositories. */
@Injectable()
export class DemoRecordRepository {
  constructor(private readonly dataSource: DataSource) {}

  async count(): Promise<Counts> {
    const [counts] = await this.dataSource.sql<[Counts]>`
      SELECT (SELECT count(*)::int FROM messages WHERE ${ofDemo('email_address')}) AS messages,
        (SELECT count(*)::int FROM subscribers WHERE ${ofDemo('email')}) AS subscribers,
        (SELECT count(*)::int FROM campaigns WHERE ${demoCampaign}) AS campaigns`;
    return counts;
  }

  async delete(tx: EntityManager): Promise<Counts> {
    const [, campaigns] = await tx.sql<[unknown, number]>`DELETE FROM campaigns WHERE ${demoCampaign}`;
    await tx.sql`DELETE FROM campaign_recipients WHERE NOT EXISTS (SELECT 1 FROM campaigns WHERE id = campaign_id)`;
    const [, messages] = await tx.sql<
      [unknown, number]
    >`DELETE FROM messages WHERE ${ofDemo('email_address')}`;
    const [, subscribers] = await tx.sql<[unknown, number]>`DELETE FROM subscribers WHERE ${ofDemo('email')}`;
    await tx.sql`
      DELETE FROM mails WHERE ${ofDemo('to_address')} OR ${ofDemo(`params->>'emailAddress'`)} OR ${ofDemo(`params->>'email'`)}`;
    return { messages, subscribers, campaigns };
  }
}
