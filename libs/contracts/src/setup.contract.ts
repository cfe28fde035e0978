import { z } from 'zod';
import { query } from './contract.js';
import { selection, selectionOutcome } from './inputs.js';
import { grouped, operation, relay, relayedIn } from './operation.js';
import { adminsIdempotent, adminsOnly } from './policy.js';
import { setupState } from './setup-state.js';

/** In the order of the guide, in which the payment step follows `logo`. */
const contentSteps = ['siteName', 'logo', 'prices', 'team', 'legalTexts', 'pageTitles'] as const;
/** The step for whichever provider takes the payments. Keep the value: it is documented and stored. */
export const paymentStep = 'paypalEmail';
const setupStep = z.enum([...contentSteps, paymentStep, 'mailSender']);
export type ContentStep = (typeof contentSteps)[number];
export type SetupStep = z.infer<typeof setupStep>;

/**
 * What the step's link opens: the section, if a record is missing there, or else a record. A record that lacks its text comes first, then one that
 * is still demo content.
 */
const stepTarget = {
  /** Null for a step that is not about content. */
  section: z.string().nullable(),
  /** Null if the record is missing, or if the step has none. */
  recordId: z.string().nullable(),
};

const contentSetup = z.object({
  steps: z.record(z.enum(contentSteps), z.object({ state: setupState, ...stepTarget })),
  postponed: z.array(setupStep),
  /**
   * How many records are still exactly as in the demo content. Leaves out records in which only choices are filled in, as listing and removing the
   * demo content do.
   */
  demoRecords: z.int(),
});
export type ContentSetup = z.infer<typeof contentSetup>;

const paymentSetup = z.object({
  state: setupState,
  /** The record whose screen shows how payments are received. */
  recordId: stepTarget.recordId,
});
export type PaymentSetup = z.infer<typeof paymentSetup>;

const setupGuide = z.object({
  steps: z.array(z.object({ step: setupStep, state: setupState, postponed: z.boolean(), ...stepTarget })),
  demoRecords: contentSetup.shape.demoRecords,
});
export type SetupGuide = z.infer<typeof setupGuide>;

const demoSection = z.object({
  section: z.string(),
  records: z.array(z.object({ _id: z.string(), name: z.string() })),
});

const contentChange = { policy: adminsOnly, invalidates: 'cachedContent' } as const;

export const setupOperations = grouped('Setting up', {
  getSetupGuide: operation({
    at: 'GET /setup-guide',
    summary: 'What a new site still needs, and what is still demo content',
    policy: adminsOnly,
    answer: setupGuide.meta({ id: 'SetupGuide' }),
  }),
  postponeSetupStep: relay({
    at: 'PUT /setup-guide',
    pattern: 'content.postponeSetupStep',
    summary: 'Postpone a step of the guide, or take that back',
    policy: adminsOnly,
    body: z.strictObject({ step: setupStep, postponed: z.boolean() }).meta({ id: 'SetupStepPostpone' }),
    answer: z.object({ postponed: z.array(setupStep) }).meta({ id: 'PostponedSetupSteps' }),
  }),
  listDemoContent: relay({
    at: 'GET /demo-content',
    pattern: 'content.listDemo',
    summary: 'The records that are still exactly as in the demo content, by section',
    policy: adminsOnly,
    answer: z.array(demoSection.meta({ id: 'DemoSection' })),
  }),
  removeDemoContent: relay({
    at: 'DELETE /demo-content',
    pattern: 'content.removeDemo',
    summary: 'Remove the records that are still exactly as in the demo content; returns their ids',
    ...contentChange,
    policy: adminsIdempotent,
    answer: z.object({ ids: z.array(z.string()) }).meta({ id: 'RemovedDemoContent' }),
  }),
  /** A singleton that an admin has added again is among the `failed`, with SINGLETON_EXISTS. */
  restoreDemoContent: relay({
    at: 'POST /demo-content/restore',
    pattern: 'content.restoreDemo',
    summary: 'Restore up to 100 records of the demo content that were removed within the last hour',
    ...contentChange,
    body: selection.meta({ id: 'DemoContentRestore' }),
    answer: selectionOutcome,
  }),
});

export const setupContract = {
  ...relayedIn(setupOperations),
  /** The content service's part of the guide. */
  contentSetup: query({
    pattern: 'content.setup',
    access: 'admin',
    input: z.object({}),
    output: contentSetup,
  }),
  /** The orders service's part of the guide. Does not ask the payment provider. */
  paymentSetup: query({
    pattern: 'orders.paymentSetup',
    access: 'admin',
    input: z.object({}),
    output: paymentSetup,
  }),
} as const;
