import { z } from 'zod';
import { created, deleted, recordMeta, updated } from './answers.js';
import { exportQuery, moment, updateBody } from './inputs.js';
import { emailPreview } from './mail.contract.js';
import { csvExport, grouped, list, operation, relay, relayedIn } from './operation.js';
import { adminsIdempotent, adminsOnly, openToAll } from './policy.js';
import { optionalLine, requiredLine, requiredText } from './text.js';

/** `draft` ⇄ `scheduled` → `sending` → `sent`; `sending` ⇄ `paused`; `sending` or `paused` → `cancelled`. */
const campaignState = z.enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled']);
export type CampaignState = z.infer<typeof campaignState>;

/** The body is Markdown: headings, lists, emphasis, links, pictures, quotes. */
export const campaignContent = z.strictObject({
  subject: requiredLine(200),
  /** Mail programs show it after the subject. */
  preheader: optionalLine(200),
  body: requiredText(10_000),
});
export type CampaignContent = z.output<typeof campaignContent>;

/** Numbers of people, each of whom gets at most one mail. `recipients` = `sent` + `failed` + `leftOut` + `waiting`. */
const campaignCounts = z.object({
  /** Subscribers when sending began, counted in batches: the number grows at first. */
  recipients: z.int(),
  /** Accepted by the mail server; some bounce later. */
  sent: z.int(),
  waiting: z.int(),
  /** Whose mail was refused permanently by the mail server, waited too long, or could not be composed. */
  failed: z.int(),
  /** Got no mail, because they had unsubscribed or were suppressed, or because the campaign was cancelled. */
  leftOut: z.int(),
  /** Also counted in `sent`. */
  bounced: z.int(),
  /** Unsubscribed with a link in a mail of this campaign. */
  unsubscribed: z.int(),
});

export const campaign = z.object({
  _id: z.string(),
  subject: z.string(),
  preheader: z.string(),
  body: z.string(),
  state: campaignState,
  /** When sending is to begin; null for a draft. */
  scheduledAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  counts: campaignCounts,
  ...recordMeta,
});
export type Campaign = z.infer<typeof campaign>;

const campaignSummary = campaign.omit({ body: true });
export type CampaignSummary = z.infer<typeof campaignSummary>;

/** How many people would receive a campaign that is sent now, and the speed of all campaigns together. */
const campaignAudience = z.object({ recipients: z.int(), perMinute: z.int() });
export type CampaignAudience = z.infer<typeof campaignAudience>;

export const furthestScheduleMs = 366 * 24 * 3_600_000;

const filter = z.object({ state: campaignState.optional() });
const campaignWrite = {
  policy: adminsIdempotent,
  versioned: true,
  answer: updated(campaign),
  failures: ['INVALID_TRANSITION'],
} as const;

export const campaignOperations = grouped('Campaigns', {
  listCampaigns: list({
    at: 'GET /campaigns',
    pattern: 'messaging.listCampaigns',
    summary: 'Newsletter campaigns without their texts, newest first',
    policy: adminsOnly,
    filter,
    record: campaignSummary.meta({ id: 'CampaignSummary' }),
  }),
  createCampaign: relay({
    at: 'POST /campaigns',
    pattern: 'messaging.createCampaign',
    summary: 'Create a campaign as a draft, with its text in Markdown',
    policy: adminsIdempotent,
    body: campaignContent.meta({
      id: 'CampaignCreate',
      examples: [
        {
          subject: 'Three quick wins for local search',
          preheader: 'Each takes less than an hour.',
          body: '# Hello\n\nHere is **what to do first**.',
        },
      ],
    }),
    answer: created(campaign),
  }),
  getCampaign: relay({
    at: 'GET /campaign/:id',
    pattern: 'messaging.campaign',
    summary: 'One campaign, with its progress',
    policy: adminsOnly,
    answer: campaign.meta({ id: 'Campaign' }),
  }),
  updateCampaign: relay({
    at: 'PUT /campaign/:id',
    pattern: 'messaging.updateCampaign',
    summary: 'Change a draft',
    ...campaignWrite,
    policy: adminsOnly,
    body: updateBody('CampaignUpdate', campaignContent.shape),
  }),
  deleteCampaign: relay({
    at: 'DELETE /campaign/:id',
    pattern: 'messaging.removeCampaign',
    summary: 'Delete a draft',
    ...campaignWrite,
    policy: adminsOnly,
    answer: deleted,
  }),
  testCampaign: relay({
    at: 'POST /campaign/:id/test',
    pattern: 'messaging.testCampaign',
    summary: 'Send the campaign to your own address as a test; at most 20 an hour',
    policy: adminsIdempotent,
    status: 202,
    /** `_id` is the id of the mail. */
    answer: z.object({ _id: z.string(), to: z.string() }).meta({ id: 'CampaignTest' }),
    failures: ['RATE_LIMITED'],
  }),
  sendCampaign: relay({
    at: 'POST /campaign/:id/send',
    pattern: 'messaging.sendCampaign',
    summary:
      'Send a draft to everyone who is subscribed when sending begins: now, or at a time within a year',
    ...campaignWrite,
    body: z
      .strictObject({ at: moment.optional().describe('Now, if it is left out.') })
      .meta({ id: 'CampaignSend' }),
  }),
  /** Takes effect within seconds. Mails in the queue wait until the campaign is resumed. */
  pauseCampaign: relay({
    at: 'POST /campaign/:id/pause',
    pattern: 'messaging.pauseCampaign',
    summary: 'Pause sending',
    ...campaignWrite,
  }),
  resumeCampaign: relay({
    at: 'POST /campaign/:id/resume',
    pattern: 'messaging.resumeCampaign',
    summary: 'Resume sending a paused campaign',
    ...campaignWrite,
  }),
  cancelCampaign: relay({
    at: 'POST /campaign/:id/cancel',
    pattern: 'messaging.cancelCampaign',
    summary:
      'Turn a scheduled campaign back into a draft, or permanently stop one that is being sent or is paused',
    ...campaignWrite,
  }),
  getCampaignAudience: relay({
    at: 'GET /campaign-audience',
    pattern: 'messaging.campaignAudience',
    summary: 'How many people would receive a campaign now, and how many mails are sent per minute',
    policy: adminsOnly,
    answer: campaignAudience.meta({ id: 'CampaignAudience' }),
  }),
  previewCampaign: relay({
    at: 'POST /campaign-preview',
    pattern: 'messaging.previewCampaign',
    kind: 'query',
    summary: 'The e-mail as it would be sent, in HTML and in plain text; nothing is stored',
    policy: adminsOnly,
    body: campaignContent.meta({ id: 'CampaignPreviewed' }),
    answer: emailPreview.meta({ id: 'CampaignPreview' }),
  }),
  // The name and the path say `letter`, because at first only newsletters had a preview.
  getLetterFrame: operation({
    at: 'GET /letter-frame',
    summary:
      'An empty page in which the admin area previews e-mails; it runs no scripts and loads only pictures',
    policy: openToAll,
    answer: z.string(),
    mediaType: 'text/html',
  }),
  exportCampaigns: csvExport({
    at: 'GET /campaigns/export',
    summary: 'All campaigns that pass the filter, with their figures, as a CSV file',
    query: exportQuery(filter),
  }),
});

export const campaignContract = relayedIn(campaignOperations);
