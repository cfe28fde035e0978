import { z } from 'zod';
import { grouped, relay, relayedIn } from '../operation.js';
import { adminsOnly, signedInOnly } from '../policy.js';
import { isStorable } from '../text.js';
import { projectFile } from './project-file.contract.js';
import { briefQuestion } from './project-template.contract.js';

const text = z
  .string()
  .max(10_000, 'must have at most 10,000 characters')
  .refine(isStorable, 'contains characters that cannot be stored');

/** By the question's id: text (`YYYY-MM-DD` for a date), or a list of options or of ids of files. Blank text and an empty list are no answer. */
export const briefAnswers = z.record(
  z.string(),
  z.union([text, z.array(text).max(30, 'must have at most 30 items')]),
);
export type BriefAnswers = z.infer<typeof briefAnswers>;

export const brief = z.object({
  projectId: z.string(),
  title: z.string(),
  introduction: z.string(),
  questions: z.array(briefQuestion),
  answers: briefAnswers,
  /** The files in the answers. */
  files: z.array(projectFile),
  /** Null until answers are saved. */
  savedAt: z.string().nullable(),
  savedBy: z.string().nullable(),
  completedAt: z.string().nullable(),
  completedBy: z.string().nullable(),
  /** Of the brief alone; for `If-Match`. */
  version: z.int(),
});
export type Brief = z.infer<typeof brief>;

const record = brief.meta({ id: 'Brief' });
const answersBody = z.strictObject({ answers: briefAnswers });

export const briefOperations = grouped('Projects', {
  getBrief: relay({
    at: 'GET /project/:id/brief',
    pattern: 'projects.brief',
    summary: 'The questions of the brief, and your answers; not found for a project without questions',
    policy: signedInOnly,
    answer: record,
  }),
  /** Drafts may be incomplete. Throws INVALID_TRANSITION for a closed project, and once the brief is complete: later answers belong in the thread. */
  saveBrief: relay({
    at: 'PUT /project/:id/brief',
    pattern: 'projects.saveBrief',
    summary: 'Save answers as a draft; answers that are left out stay as they are',
    policy: signedInOnly,
    versioned: true,
    body: answersBody.meta({ id: 'BriefDraft' }),
    answer: record,
    failures: ['INVALID_TRANSITION'],
  }),
  /** Throws what `saveBrief` throws, and INVALID_INPUT with the questions (`answers.<id>`) whose answers are missing or wrong. */
  completeBrief: relay({
    at: 'POST /project/:id/brief/completion',
    pattern: 'projects.completeBrief',
    summary: 'Save the answers and complete the brief, so that work begins',
    policy: { ...signedInOnly, idempotent: true },
    versioned: true,
    body: answersBody.meta({ id: 'BriefCompletion' }),
    answer: record,
    failures: ['INVALID_TRANSITION'],
  }),
});

export const staffBriefOperations = grouped('Project work', {
  getStaffBrief: relay({
    at: 'GET /staff-project/:id/brief',
    pattern: 'projects.staffBrief',
    summary: 'The customer’s answers, also while they are a draft',
    policy: adminsOnly,
    answer: record,
  }),
});

export const briefContract = { ...relayedIn(briefOperations), ...relayedIn(staffBriefOperations) } as const;
