import { z } from 'zod';
import { recordMeta, updated } from '../answers.js';
import { grouped, relay, relayedIn } from '../operation.js';
import { adminsOnly } from '../policy.js';
import { optionalText, requiredLine, requiredText } from '../text.js';
import { templateLimits } from './project-limits.js';

/** `url`: the address of a site. `choice`: one of the options. `choices`: several. */
export const questionKind = z.enum(['short_text', 'long_text', 'url', 'choice', 'choices', 'date', 'file']);
export type QuestionKind = z.infer<typeof questionKind>;

const kindsWithOptions: readonly QuestionKind[] = ['choice', 'choices'];

export const briefQuestion = z
  .strictObject({
    /** The key in `briefAnswers`. */
    id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be lower-case letters, digits and hyphens'),
    label: requiredLine(300),
    help: optionalText(1_000),
    kind: questionKind,
    required: z.boolean().default(false),
    /** For `choice` and `choices` two or more; otherwise empty. */
    options: z.array(requiredLine(200)).max(templateLimits.options).default([]),
  })
  .refine(
    ({ kind, options }) => (kindsWithOptions.includes(kind) ? options.length >= 2 : options.length === 0),
    {
      path: ['options'],
      message: 'must be two or more for a choice, and none otherwise',
    },
  );
export type BriefQuestion = z.output<typeof briefQuestion>;

export const projectTemplateInput = z.strictObject({
  /** Without questions, work begins right after payment. */
  questions: z
    .array(briefQuestion)
    .max(templateLimits.questions)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'must have different ids'),
  /** The steps of the work in each new project. Staff tick them off. */
  checklist: z.array(requiredLine(300)).max(templateLimits.checklist).default([]),
  /** In calendar days from the day on which work begins; null for no due date. */
  deliveryDays: z.int().min(1).max(templateLimits.deliveryDays).nullable().default(null),
  /** Above the questions; empty for none. */
  introduction: optionalText(2_000),
  /** Posted to the thread of each new project, in the name of the site; empty for none. */
  welcome: requiredText(5_000).or(z.literal('')).default(''),
});
export type ProjectTemplateInput = z.output<typeof projectTemplateInput>;

/** Projects keep the version that they began with. */
export const projectTemplate = z.object({
  /** The package's id. */
  _id: z.string(),
  packageName: z.string(),
  onOffer: z.boolean(),
  ...projectTemplateInput.shape,
  /** How many open projects began with an earlier version, or before the first one. */
  olderProjects: z.int(),
  updatedAt: recordMeta.updatedAt.nullable(),
  /** 0 before it is first saved. */
  version: z.int(),
});
export type ProjectTemplate = z.infer<typeof projectTemplate>;

/** For all projects. A customer is reminded once for each time that a project waits for them. */
const projectSettings = z.object({
  /** After how many days without a decision about a deliverable the customer is reminded; null for never. */
  remindAfterDays: z.int().min(1).max(90).nullable(),
  /** After how many days without a complete brief the customer is reminded; null for never. */
  remindBriefAfterDays: z.int().min(1).max(90).nullable(),
  version: z.int(),
});
export type ProjectSettings = z.infer<typeof projectSettings>;

export const projectTemplateOperations = grouped('Project templates', {
  listProjectTemplates: relay({
    at: 'GET /project-templates',
    pattern: 'projects.listTemplates',
    summary: 'What new projects begin with, for each package',
    policy: adminsOnly,
    answer: z.array(projectTemplate.meta({ id: 'ProjectTemplate' })),
  }),
  getProjectTemplate: relay({
    at: 'GET /project-template/:id',
    pattern: 'projects.template',
    summary: 'What new projects of a package begin with',
    policy: adminsOnly,
    answer: projectTemplate,
  }),
  updateProjectTemplate: relay({
    at: 'PUT /project-template/:id',
    pattern: 'projects.updateTemplate',
    summary:
      'Change the questions, checklist and delivery time of a package; projects that have begun keep theirs',
    policy: adminsOnly,
    versioned: true,
    body: projectTemplateInput.meta({ id: 'ProjectTemplateUpdate' }),
    answer: updated(projectTemplate),
  }),
  getProjectSettings: relay({
    at: 'GET /project-settings',
    pattern: 'projects.settings',
    summary: 'Reminders to customers',
    policy: adminsOnly,
    answer: projectSettings.meta({ id: 'ProjectSettings' }),
  }),
  updateProjectSettings: relay({
    at: 'PUT /project-settings',
    pattern: 'projects.updateSettings',
    summary: 'Change the reminders to customers',
    policy: adminsOnly,
    versioned: true,
    body: z
      .strictObject({
        remindAfterDays: projectSettings.shape.remindAfterDays,
        remindBriefAfterDays: projectSettings.shape.remindBriefAfterDays,
      })
      .meta({ id: 'ProjectSettingsUpdate' }),
    answer: updated(projectSettings),
  }),
});

export const projectTemplateContract = relayedIn(projectTemplateOperations);
