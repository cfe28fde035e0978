import type { CampaignSummary, Mail, Message, SubscriberRecord } from '#libs/contracts';
import { type CsvColumns, csvEndpoint } from '../csv/csv-download.js';
import { listCampaignsEndpoint } from './campaign.endpoints.js';
import { listMailsEndpoint } from './mail.endpoints.js';
import { listMessagesEndpoint } from './message.endpoints.js';
import { listSubscribersEndpoint } from './subscriber.endpoints.js';

const part = { page: true, limit: true, cursor: true } as const;

export const exportMessagesEndpoint = csvEndpoint({
  path: '/messages/export',
  operationId: 'exportMessages',
  summary: 'All messages that pass the filter, as a CSV file',
  group: listMessagesEndpoint.group,
  query: listMessagesEndpoint.query!.omit(part),
});

export const messageColumns: CsvColumns<Message> = [
  ['Name', ({ fullName }) => fullName],
  ['E-mail', ({ emailAddress }) => emailAddress],
  ['Subject', ({ subject }) => subject],
  ['Message', ({ message }) => message],
  ['Status', ({ messageStatus }) => messageStatus],
  ['Received', ({ createdAt }) => createdAt],
];

export const exportSubscribersEndpoint = csvEndpoint({
  path: '/subscribers/export',
  operationId: 'exportSubscribers',
  summary: 'All subscribers that pass the filter, as a CSV file',
  group: listSubscribersEndpoint.group,
  query: listSubscribersEndpoint.query!.omit(part),
});

export const subscriberColumns: CsvColumns<SubscriberRecord> = [
  ['E-mail', ({ email }) => email],
  ['Since', ({ createdAt }) => createdAt],
  ['Status', ({ status }) => status],
  ['Consent source', ({ consent }) => consent?.source ?? ''],
  ['Consent time', ({ consent }) => consent?.at ?? ''],
  ['Consent text', ({ consent }) => consent?.text ?? ''],
  ['Consent address', ({ consent }) => consent?.ip ?? ''],
  ['Confirmed', ({ confirmedAt }) => confirmedAt ?? ''],
  ['Unsubscribed', ({ unsubscribedAt }) => unsubscribedAt ?? ''],
  ['Suppressed', ({ suppressed }) => suppressed?.at ?? ''],
  ['Suppressed because', ({ suppressed }) => suppressed?.reason ?? ''],
];

export const exportMailsEndpoint = csvEndpoint({
  path: '/mails/export',
  operationId: 'exportMails',
  summary: 'All mails that pass the filter, as a CSV file',
  group: listMailsEndpoint.group,
  query: listMailsEndpoint.query!.omit(part),
});

export const mailColumns: CsvColumns<Mail> = [
  ['Asked for', ({ createdAt }) => createdAt],
  ['To', ({ to }) => to],
  ['Mail', ({ template }) => template],
  ['Subject', ({ subject }) => subject ?? ''],
  ['State', ({ state }) => state],
  ['Attempts', ({ attempts }) => String(attempts)],
  ['Answer of the server', ({ answer }) => answer ?? ''],
  ['Done with', ({ finishedAt }) => finishedAt ?? ''],
  ['Came back', ({ bouncedAt }) => bouncedAt ?? ''],
  ['Message-ID', ({ messageId }) => messageId],
  ['Campaign', ({ campaignId }) => campaignId ?? ''],
];

export const exportCampaignsEndpoint = csvEndpoint({
  path: '/campaigns/export',
  operationId: 'exportCampaigns',
  summary: 'All campaigns that pass the filter with their figures, as a CSV file',
  group: listCampaignsEndpoint.group,
  query: listCampaignsEndpoint.query!.omit(part),
});

export const campaignColumns: CsvColumns<CampaignSummary> = [
  ['Subject', ({ subject }) => subject],
  ['State', ({ state }) => state],
  ['Scheduled', ({ scheduledAt }) => scheduledAt ?? ''],
  ['Started', ({ startedAt }) => startedAt ?? ''],
  ['Finished', ({ finishedAt }) => finishedAt ?? ''],
  ['Recipients', ({ counts }) => String(counts.recipients)],
  ['Sent', ({ counts }) => String(counts.sent)],
  ['Failed', ({ counts }) => String(counts.failed)],
  ['Left out', ({ counts }) => String(counts.leftOut)],
  ['Came back', ({ counts }) => String(counts.bounced)],
  ['Unsubscribed', ({ counts }) => String(counts.unsubscribed)],
  ['Campaign', ({ _id }) => _id],
];
