import { auditMigrations, outboxAndInboxMigrations, recipientLimitsMigrations } from '#libs/database';
import { Messaging1763700000000 } from './1763700000000-messaging.js';
import { SearchIndexes1764100000000 } from './1764100000000-search-indexes.js';
import { SortColumns1764200000000 } from './1764200000000-sort-columns.js';
import { MessagesBySender1765000110000 } from './1765000110000-messages-by-sender.js';
import { Mail1765000200000 } from './1765000200000-mail.js';
import { SubscriberConsent1765100300000 } from './1765100300000-subscriber-consent.js';
import { DeletedRecords1767000100000 } from './1767000100000-deleted-records.js';
import { Campaigns1767000200000 } from './1767000200000-campaigns.js';
import { SubscriberImports1767000300000 } from './1767000300000-subscriber-imports.js';
import { MailsByCampaign1767000450000 } from './1767000450000-mails-by-campaign.js';
import { MailsByAddress1767100000000 } from './1767100000000-mails-by-address.js';
import { MessageThreads1769000100000 } from './1769000100000-message-threads.js';
import { MailsBySubject1770000100000 } from './1770000100000-mails-by-subject.js';
import { MessagesByName1774000700000 } from './1774000700000-messages-by-name.js';
import { DeletedSubscribersByAddress1774000800000 } from './1774000800000-deleted-subscribers-by-address.js';

/** TypeORM runs them in the order of the timestamps in their names. */
export const migrations = [
  ...outboxAndInboxMigrations,
  ...auditMigrations,
  Messaging1763700000000,
  SearchIndexes1764100000000,
  SortColumns1764200000000,
  MessagesBySender1765000110000,
  Mail1765000200000,
  SubscriberConsent1765100300000,
  DeletedRecords1767000100000,
  Campaigns1767000200000,
  SubscriberImports1767000300000,
  MailsByCampaign1767000450000,
  MailsByAddress1767100000000,
  ...recipientLimitsMigrations,
  MessageThreads1769000100000,
  MailsBySubject1770000100000,
  MessagesByName1774000700000,
  DeletedSubscribersByAddress1774000800000,
];
