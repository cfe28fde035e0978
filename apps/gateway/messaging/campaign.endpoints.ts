import { z } from 'zod';
import {
  campaign,
  campaignAudience,
  campaignContent,
  campaignPreview,
  campaignState,
  campaignSummary,
} from '#libs/contracts';
import { adminsOnce, adminsOnly, openToAll } from '../policy/policy.js';
import { acknowledgedCreate, acknowledgedDelete, acknowledgedUpdate } from '../routing/acknowledged.js';
import type { Endpoint } from '../routing/endpoint.js';
import { pageQuery } from '../routing/listing.js';

const group = 'Campaigns';
const record = campaign.meta({ id: 'Campaign' });
const ignored = z.unknown().optional();

/** What the server added to the record is accepted and dropped. */
const added = { _id: ignored, createdAt: ignored, updatedAt: ignored, version: ignored };
const updateBody = campaignContent
  .extend(added)
  .transform(({ subject, preheader, body }) => ({ subject, preheader, body }))
  .meta({ id: 'CampaignUpdate' });

export const listCampaignsEndpoint: Endpoint = {
  method: 'GET',
  path: '/campaigns',
  policy: adminsOnly,
  operationId: 'listCampaigns',
  summary: 'Campaigns of the newsletter, newest first, without their letters',
  group,
  query: pageQuery.extend({ state: campaignState.optional() }),
  status: 200,
  answer: z.array(campaignSummary.meta({ id: 'CampaignSummary' })),
  failures: ['INVALID_INPUT'],
  paged: true,
};

export const createCampaignEndpoint: Endpoint = {
  method: 'POST',
  path: '/campaigns',
  policy: adminsOnce,
  operationId: 'createCampaign',
  summary: 'Write a campaign: a draft, with a letter in Markdown',
  group,
  body: campaignContent.meta({ id: 'CampaignCreate' }),
  status: 201,
  answer: acknowledgedCreate(campaign),
  failures: ['INVALID_INPUT', 'IDEMPOTENCY_KEY_REUSED'],
};

export const getCampaignEndpoint: Endpoint = {
  method: 'GET',
  path: '/campaign/:id',
  policy: adminsOnly,
  operationId: 'getCampaign',
  summary: 'One campaign, with how far it has come',
  group,
  status: 200,
  answer: record,
  failures: ['NOT_FOUND'],
};

export const updateCampaignEndpoint: Endpoint = {
  method: 'PUT',
  path: '/campaign/:id',
  policy: adminsOnly,
  operationId: 'updateCampaign',
  summary: 'Change a draft',
  group,
  body: updateBody,
  status: 200,
  answer: acknowledgedUpdate(campaign),
  failures: ['INVALID_INPUT', 'NOT_FOUND', 'INVALID_TRANSITION', 'VERSION_MISMATCH'],
  versioned: true,
};

export const removeCampaignEndpoint: Endpoint = {
  method: 'DELETE',
  path: '/campaign/:id',
  policy: adminsOnly,
  operationId: 'deleteCampaign',
  summary: 'Delete a draft',
  group,
  status: 200,
  answer: acknowledgedDelete,
  failures: ['NOT_FOUND', 'INVALID_TRANSITION', 'VERSION_MISMATCH'],
  versioned: true,
};

export const testCampaignEndpoint: Endpoint = {
  method: 'POST',
  path: '/campaign/:id/test',
  policy: adminsOnce,
  operationId: 'testCampaign',
  summary: 'Send the letter to the own address, to look at it',
  group,
  status: 202,
  answer: z.object({ _id: z.string(), to: z.string() }).meta({ id: 'CampaignTest' }),
  failures: ['NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
};

export const sendCampaignEndpoint: Endpoint = {
  method: 'POST',
  path: '/campaign/:id/send',
  policy: adminsOnce,
  operationId: 'sendCampaign',
  summary: 'Send a draft to everybody who is subscribed when it begins: now, or at a moment within a year',
  group,
  body: z
    .strictObject({ at: z.iso.datetime({ offset: true }).optional().describe('Now, if it is left out.') })
    .meta({ id: 'CampaignSend' }),
  status: 200,
  answer: acknowledgedUpdate(campaign),
  failures: [
    'INVALID_INPUT',
    'NOT_FOUND',
    'INVALID_TRANSITION',
    'VERSION_MISMATCH',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  versioned: true,
};

function move(verb: 'pause' | 'resume' | 'cancel', summary: string): Endpoint {
  return {
    method: 'POST',
    path: `/campaign/:id/${verb}`,
    policy: adminsOnce,
    operationId: `${verb}Campaign`,
    summary,
    group,
    status: 200,
    answer: acknowledgedUpdate(campaign),
    failures: ['NOT_FOUND', 'INVALID_TRANSITION', 'VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
    versioned: true,
  };
}

export const pauseCampaignEndpoint = move('pause', 'Send no more of it for now');
export const resumeCampaignEndpoint = move('resume', 'Go on sending what was paused');
export const cancelCampaignEndpoint = move(
  'cancel',
  'Make a scheduled campaign a draft again, or end one that is being sent for good',
);

export const campaignAudienceEndpoint: Endpoint = {
  method: 'GET',
  path: '/campaign-audience',
  policy: adminsOnly,
  operationId: 'getCampaignAudience',
  summary: 'How many people would get a campaign now, and how many mails go out in a minute',
  group,
  status: 200,
  answer: campaignAudience.meta({ id: 'CampaignAudience' }),
  failures: [],
};

export const previewCampaignEndpoint: Endpoint = {
  method: 'POST',
  path: '/campaign-preview',
  policy: adminsOnly,
  operationId: 'previewCampaign',
  summary: 'The letter as it would be sent, in HTML and in plain text; nothing is stored',
  group,
  body: campaignContent.meta({ id: 'CampaignPreviewed' }),
  status: 200,
  answer: campaignPreview.meta({ id: 'CampaignPreview' }),
  failures: ['INVALID_INPUT'],
};

export const letterFrameEndpoint: Endpoint = {
  method: 'GET',
  path: '/letter-frame',
  policy: openToAll,
  operationId: 'getLetterFrame',
  summary:
    'An empty page in which the admin area shows letters: it runs nothing and loads nothing but pictures',
  group,
  status: 200,
  answer: z.string(),
  failures: [],
  mediaType: 'text/html',
};

export const campaignEndpoints: readonly Endpoint[] = [
  listCampaignsEndpoint,
  createCampaignEndpoint,
  getCampaignEndpoint,
  updateCampaignEndpoint,
  removeCampaignEndpoint,
  testCampaignEndpoint,
  sendCampaignEndpoint,
  pauseCampaignEndpoint,
  resumeCampaignEndpoint,
  cancelCampaignEndpoint,
  campaignAudienceEndpoint,
  previewCampaignEndpoint,
  letterFrameEndpoint,
];
