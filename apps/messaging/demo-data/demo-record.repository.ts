import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { demoCampaignSubject, type DemoDataCounts, demoDomain } from '#libs/contracts';
import { deletedRecordAddressSql } from '../deleted/deleted-record.repository.js';
import { mailAddressesSql } from '../mail/mail.repository.js';

type Counts = Pick<DemoDataCounts, 'messages' | 'subscribers' | 'campaigns'>;

const demoAddressPattern = `%@${demoDomain}`;

/** These are functions, because TypeORM's `sql` tag inserts a function's result verbatim. */
const hasDemoAddress = (addressSql: string) => () => `lower(${addressSql}) LIKE '${demoAddressPattern}'`;
/** False for a campaign with a mail to somebody other than a demo subscriber. */
const isDemoCampaign = () => `subject = '${demoCampaignSubject}' AND NOT EXISTS (
  SELECT 1 FROM mails WHERE campaign_id = campaigns.id AND NOT ${hasDemoAddress('to_address')()})`;
const isDemoMail = () => mailAddressesSql.map((address) => hasDemoAddress(address)()).join(' OR ');

@Injectable()
export class DemoRecordRepository {
  constructor(private readonly dataSource: DataSource) {}

  async count(): Promise<Counts> {
    const [counts] = await this.dataSource.sql<[Counts]>`
      SELECT (SELECT count(*)::int FROM messages WHERE ${hasDemoAddress('email_address')}) AS messages,
        (SELECT count(*)::int FROM subscribers WHERE ${hasDemoAddress('email')}) AS subscribers,
        (SELECT count(*)::int FROM campaigns WHERE ${isDemoCampaign}) AS campaigns`;
    return counts;
  }

  /** Also deletes, without counting them, deleted demo records that an admin can still restore, and mails to or about demo addresses. */
  async deleteAll(tx: EntityManager): Promise<Counts> {
    const [, campaigns] = await tx.sql<[unknown, number]>`DELETE FROM campaigns WHERE ${isDemoCampaign}`;
    await tx.sql`DELETE FROM campaign_recipients WHERE NOT EXISTS (SELECT 1 FROM campaigns WHERE id = campaign_id)`;
    const [, messages] = await tx.sql<
      [unknown, number]
    >`DELETE FROM messages WHERE ${hasDemoAddress('email_address')}`;
    const [, subscribers] = await tx.sql<
      [unknown, number]
    >`DELETE FROM subscribers WHERE ${hasDemoAddress('email')}`;
    await tx.sql`DELETE FROM deleted_records WHERE ${hasDemoAddress(deletedRecordAddressSql)}`;
    await tx.sql`DELETE FROM mails WHERE ${isDemoMail}`;
    return { messages, subscribers, campaigns };
  }
}
