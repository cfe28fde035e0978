import { z } from 'zod';
import {
  campaignAudience,
  campaign,
  campaignContent,
  campaignContract as contract,
  campaignPreview,
  campaignState,
  campaignSummary,
} from '#libs/contracts';
import { created, deleted, updated } from './acknowledged.js';
import { csvExport } from './csv.js';
import { pagePart, pageQuery, updateBody } from './inputs.js';
import { grouped, list, operation, output, relay } from './operation.js';
import { adminsOnce, adminsOnly, openToAll } from './policy.js';

const listQuery = pageQuery.extend({ state: campaignState.optional() });
const notInThatState = ['NOT_FOUND', 'INVALID_TRANSITION'] as const;

export const campaignOperations = grouped('Campaigns', {
  list: relay({
    at: 'GET /campaigns',
    id: 'listCampaigns',
    summary: 'Newsletter campaigns without their letters, newest first',
    policy: adminsOnly,
    query: listQuery,
    to: list(contract.list, campaignSummary.meta({ id: 'CampaignSummary' })),
  }),
  create: relay({
    at: 'POST /campaigns',
    id: 'createCampaign',
    summary: 'Create a campaign as a draft, with a letter in Markdown',
    policy: adminsOnce,
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
    to: created(contract.create),
  }),
  item: relay({
    at: 'GET /campaign/:id',
    id: 'getCampaign',
    summary: 'One campaign, with its progress',
    policy: adminsOnly,
    failures: ['NOT_FOUND'],
    to: output(contract.campaign, campaign.meta({ id: 'Campaign' })),
  }),
  update: relay({
    at: 'PUT /campaign/:id',
    id: 'updateCampaign',
    summary: 'Change a draft',
    policy: adminsOnly,
    body: updateBody('CampaignUpdate', campaignContent.shape),
    versioned: true,
    failures: notInThatState,
    to: updated(contract.update),
  }),
  remove: relay({
    at: 'DELETE /campaign/:id',
    id: 'deleteCampaign',
    summary: 'Delete a draft',
    policy: adminsOnly,
    versioned: true,
    failures: notInThatState,
    to: deleted(contract.remove),
  }),
  test: relay({
    at: 'POST /campaign/:id/test',
    id: 'testCampaign',
    summary: 'Send the letter to your own address as a test',
    policy: adminsOnce,
    status: 202,
    failures: ['NOT_FOUND'],
    to: output(contract.test, z.object({ _id: z.string(), to: z.string() }).meta({ id: 'CampaignTest' })),
  }),
  send: relay({
    at: 'POST /campaign/:id/send',
    id: 'sendCampaign',
    summary:
      'Send a draft to everyone who is subscribed when sending begins: now, or at a time within a year',
    policy: adminsOnce,
    body: z
      .strictObject({ at: z.iso.datetime({ offset: true }).optional().describe('Now, if it is left out.') })
      .meta({ id: 'CampaignSend' }),
    versioned: true,
    failures: notInThatState,
    to: updated(contract.send),
  }),
  pause: relay({
    at: 'POST /campaign/:id/pause',
    id: 'pauseCampaign',
    summary: 'Pause sending',
    policy: adminsOnce,
    versioned: true,
    failures: notInThatState,
    to: updated(contract.pause),
  }),
  resume: relay({
    at: 'POST /campaign/:id/resume',
    id: 'resumeCampaign',
    summary: 'Resume sending a paused campaign',
    policy: adminsOnce,
    versioned: true,
    failures: notInThatState,
    to: updated(contract.resume),
  }),
  cancel: relay({
    at: 'POST /campaign/:id/cancel',
    id: 'cancelCampaign',
    summary: 'Turn a scheduled campaign back into a draft, or stop one that is being sent for good',
    policy: adminsOnce,
    versioned: true,
    failures: notInThatState,
    to: updated(contract.cancel),
  }),
  audience: relay({
    at: 'GET /campaign-audience',
    id: 'getCampaignAudience',
    summary: 'How many people would receive a campaign now, and how many mails are sent per minute',
    policy: adminsOnly,
    to: output(contract.audience, campaignAudience.meta({ id: 'CampaignAudience' })),
  }),
  preview: relay({
    at: 'POST /campaign-preview',
    id: 'previewCampaign',
    summary: 'The letter as it would be sent, in HTML and in plain text; nothing is stored',
    policy: adminsOnly,
    body: campaignContent.meta({ id: 'CampaignPreviewed' }),
    to: output(contract.preview, campaignPreview.meta({ id: 'CampaignPreview' })),
  }),
  frame: operation({
    at: 'GET /letter-frame',
    id: 'getLetterFrame',
    summary:
      'An empty page in which the admin area shows letters; it runs no scripts and loads only pictures',
    policy: openToAll,
    answer: z.string(),
    mediaType: 'text/html',
  }),
  export: csvExport({
    at: 'GET /campaigns/export',
    id: 'exportCampaigns',
    summary: 'All campaigns that pass the filter with their figures, as a CSV file',
    query: listQuery.omit(pagePart),
  }),
});
