import {
  type CampaignSummary,
  type ImportRefusal,
  type Mail,
  type Message,
  refusalReasons,
  type SubscriberRecord,
} from '#libs/contracts';
import type { CsvColumns } from '../csv/csv-download.js';

export const messageColumns: CsvColumns<Message> = [
  ['Name', ({ fullName }) => fullName],
  ['E-mail', ({ emailAddress }) => emailAddress],
  ['Subject', ({ subject }) => subject],
  ['Message', ({ message }) => message],
  ['Status', ({ messageStatus }) => messageStatus],
  ['Received', ({ createdAt }) => createdAt],
  ['Answered', ({ answeredAt }) => answeredAt ?? ''],
];

export const subscriberColumns: CsvColumns<SubscriberRecord> = [
  ['E-mail', ({ email }) => email],
  ['Since', ({ createdAt }) => createdAt],
  ['Status', ({ status }) => status],
  ['Consent source', ({ consent }) => consent?.source ?? ''],
  ['Consent time', ({ consent }) => consent?.at ?? ''],
  ['Consent text', ({ consent }) => consent?.text ?? ''],
  ['Consent IP address', ({ consent }) => consent?.ip ?? ''],
  ['Confirmed', ({ confirmedAt }) => confirmedAt ?? ''],
  ['Confirmed from IP address', ({ confirmedIp }) => confirmedIp ?? ''],
  ['Unsubscribed', ({ unsubscribedAt }) => unsubscribedAt ?? ''],
  ['Suppressed', ({ suppressed }) => suppressed?.at ?? ''],
  ['Suppressed because', ({ suppressed }) => suppressed?.reason ?? ''],
];

export const mailColumns: CsvColumns<Mail> = [
  ['Created', ({ createdAt }) => createdAt],
  ['To', ({ to }) => to],
  ['Mail', ({ template }) => template],
  ['Subject', ({ subject }) => subject ?? ''],
  ['State', ({ state }) => state],
  ['Attempts', ({ attempts }) => String(attempts)],
  ['Server response', ({ answer }) => answer ?? ''],
  ['Finished', ({ finishedAt }) => finishedAt ?? ''],
  ['Bounced', ({ bouncedAt }) => bouncedAt ?? ''],
  ['Message-ID', ({ messageId }) => messageId],
  ['Campaign', ({ campaignId }) => campaignId ?? ''],
];

export const campaignColumns: CsvColumns<CampaignSummary> = [
  ['Subject', ({ subject }) => subject],
  ['State', ({ state }) => state],
  ['Scheduled', ({ scheduledAt }) => scheduledAt ?? ''],
  ['Started', ({ startedAt }) => startedAt ?? ''],
  ['Finished', ({ finishedAt }) => finishedAt ?? ''],
  ['Recipients', ({ counts }) => String(counts.recipients)],
  ['Sent', ({ counts }) => String(counts.sent)],
  ['Failed', ({ counts }) => String(counts.failed)],
  ['Skipped', ({ counts }) => String(counts.leftOut)],
  ['Bounced', ({ counts }) => String(counts.bounced)],
  ['Unsubscribed', ({ counts }) => String(counts.unsubscribed)],
  ['Campaign', ({ _id }) => _id],
];

export const refusalColumns: CsvColumns<ImportRefusal> = [
  ['Line', ({ line }) => String(line)],
  ['Text', ({ text }) => text],
  ['Reason', ({ reason }) => refusalReasons[reason]],
];
