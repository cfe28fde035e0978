import type { Campaign } from '#libs/contracts';
import { defineCollection, longText, optional, text } from '#libs/content-model';
import type { StoredRecord, Values } from '../../../workspace/content-api.js';

/** Campaigns are not content, but are edited like content: the form keeps unsaved input, checks it, and shows conflicts. */
export const campaignSection = defineCollection({
  name: 'campaign',
  labels: { one: 'campaign', many: 'campaigns' },
  fields: {
    subject: text('Subject', { recommendedLength: 60 }),
    preheader: optional(
      text('Preview text', {
        help: 'Shown after the subject in the inbox.',
        recommendedLength: 90,
      }),
    ),
    body: longText('Text', {
      help: 'An empty line starts a new paragraph. The e-mail shows the subject as its heading, unless the text begins with a heading.',
    }),
  },
  routes: {
    list: '/campaigns',
    one: '/campaign/:id',
    create: '/campaigns',
    update: '/campaign/:id',
  },
  toasts: { created: 'Campaign saved', updated: 'Campaign saved' },
});

export function recordOf(campaign: Campaign): StoredRecord {
  const { _id, createdAt, updatedAt, version, subject, preheader, body } = campaign;
  // No object literal has this type: its index signature allows only strings, but `version` is a number.
  return Object.assign({ _id, createdAt, updatedAt, version }, { subject, preheader, body } as Values);
}
