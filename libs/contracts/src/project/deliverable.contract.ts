import { z } from 'zod';
import { projectFile } from './project-file.contract.js';

/** An undecided deliverable becomes `replaced` when staff hand over a newer one, or when the project returns to `in_progress`. */
export const deliverable = z.object({
  _id: z.string(),
  /** From 1 in each project. */
  number: z.int(),
  text: z.string(),
  files: z.array(projectFile),
  links: z.array(z.string()),
  state: z.enum(['delivered', 'accepted', 'changes_requested', 'replaced']),
  /** A person’s name, as is `decidedBy`. */
  deliveredBy: z.string(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  /** What the customer wants changed. */
  reason: z.string().nullable(),
  createdAt: z.string(),
});
export type Deliverable = z.infer<typeof deliverable>;
