import { z } from 'zod';
import { command, query } from './contract.js';
import { pageOf, pageRequest, searchText } from './paging.js';
import { isSingleLine, isStorable, writtenLine, writtenText } from './text.js';

/**
 * `draft` → `scheduled` → `sending` ⇄ `paused` → `sent`. One that is scheduled can become a draft again; one that is being sent, or is
 * paused, can be `cancelled`, which is final.
 */
export const campaignState = z.enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled']);
export type CampaignState = z.infer<typeof campaignState>;

/** What an admin writes. The letter is Markdown: headings, lists, emphasis, links, pictures, quotes. */
export const campaignContent = z.strictObject({
  subject: writtenLine(200),
  /** What a list of mails shows after the subject. */
  preheader: z
    .string({ error: 'must be text' })
    .max(200, 'must have at most 200 characters')
    .refine(isStorable, 'contains characters that cannot be stored')
    .refine(isSingleLine, 'must be one line of text')
    .default(''),
  body: writtenText(10_000),
});
export type CampaignContent = z.output<typeof campaignContent>;

/** People. `recipients` = `sent` + `failed` + `leftOut` + `waiting`. */
export const campaignCounts = z.object({
  /** Who were subscribed when it began; grows for the first moments. */
  recipients: z.int(),
  /** Whose mail the server took; includes those that came back. */
  sent: z.int(),
  waiting: z.int(),
  /** Refused for good, or given up. */
  failed: z.int(),
  /** Unsubscribed or suppressed before their mail went out, or it was cancelled before that. */
  leftOut: z.int(),
  /** Of those sent: came back later. */
  bounced: z.int(),
  /** Unsubscribed by a link of this campaign. */
  unsubscribed: z.int(),
});
export type CampaignCounts = z.infer<typeof campaignCounts>;

export const campaign = z.object({
  _id: z.string(),
  subject: z.string(),
  preheader: z.string(),
  body: z.string(),
  state: campaignState,
  /** When it is to begin, or was to; null for a draft. */
  scheduledAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  /** Sent or cancelled. */
  finishedAt: z.string().nullable(),
  counts: campaignCounts,
  createdAt: z.string(),
  updatedAt: z.string(),
  /** 1 at creation, one more at each change of words or state. */
  version: z.int(),
});
export type Campaign = z.infer<typeof campaign>;

/** As the list shows it. */
export const campaignSummary = campaign.omit({ body: true });
export type CampaignSummary = z.infer<typeof campaignSummary>;

/** The letter as it is going to be sent. */
export const campaignPreview = z.object({ subject: z.string(), html: z.string(), text: z.string() });
export type CampaignPreview = z.infer<typeof campaignPreview>;

/** Who would get a campaign that began now, and how fast. */
export const campaignAudience = z.object({ recipients: z.int(), perMinute: z.int() });
export type CampaignAudience = z.infer<typeof campaignAudience>;

const chosen = z.object({ id: z.string(), ifVersion: z.int().optional() });

/** No campaign is planned further ahead, in milliseconds. */
export const furthestScheduleMs = 366 * 24 * 3_600_000;

export const campaignContract = {
  /** INVALID_INPUT for a cursor that is none. Searches the subjects. Newest first. */
  list: query({
    pattern: 'messaging.listCampaigns',
    access: 'admin',
    input: pageRequest.extend({ search: searchText.optional(), state: campaignState.optional() }),
    output: pageOf(campaignSummary),
  }),
  /** NOT_FOUND for an unknown or malformed id. */
  campaign: query({
    pattern: 'messaging.campaign',
    access: 'admin',
    input: z.object({ id: z.string() }),
    output: campaign,
  }),
  audience: query({
    pattern: 'messaging.campaignAudience',
    access: 'admin',
    input: z.object({}),
    output: campaignAudience,
  }),
  /** By the code that writes the mails. Nothing is stored. */
  preview: query({
    pattern: 'messaging.previewCampaign',
    access: 'admin',
    input: campaignContent,
    output: campaignPreview,
  }),
  /** A draft. */
  create: command({
    pattern: 'messaging.createCampaign',
    access: 'admin',
    input: campaignContent,
    output: campaign,
  }),
  /** NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION for what is no draft. */
  update: command({
    pattern: 'messaging.updateCampaign',
    access: 'admin',
    input: campaignContent.extend(chosen.shape),
    output: z.object({ record: campaign, modified: z.boolean() }),
  }),
  /** NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION for what is no draft. */
  remove: command({
    pattern: 'messaging.removeCampaign',
    access: 'admin',
    input: chosen,
    output: z.object({ _id: z.string() }),
  }),
  /** To the address of who asks, as it is stored. NOT_FOUND. */
  test: command({
    pattern: 'messaging.testCampaign',
    access: 'admin',
    input: z.object({ id: z.string() }),
    output: z.object({ _id: z.string(), to: z.string() }),
  }),
  /** Now, or at a moment to come. NOT_FOUND, VERSION_MISMATCH, INVALID_INPUT, INVALID_TRANSITION for what is no draft. */
  send: command({
    pattern: 'messaging.sendCampaign',
    access: 'admin',
    input: chosen.extend({ at: z.iso.datetime({ offset: true }).optional() }),
    output: z.object({ record: campaign, modified: z.boolean() }),
  }),
  /** Takes hold within seconds: mails that wait in the queue stay there. NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION. */
  pause: command({
    pattern: 'messaging.pauseCampaign',
    access: 'admin',
    input: chosen,
    output: z.object({ record: campaign, modified: z.boolean() }),
  }),
  /** NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION. */
  resume: command({
    pattern: 'messaging.resumeCampaign',
    access: 'admin',
    input: chosen,
    output: z.object({ record: campaign, modified: z.boolean() }),
  }),
  /** One that is scheduled is a draft again; of one that is being sent the rest is not. NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION. */
  cancel: command({
    pattern: 'messaging.cancelCampaign',
    access: 'admin',
    input: chosen,
    output: z.object({ record: campaign, modified: z.boolean() }),
  }),
} as const;
