import { z } from 'zod';

/** What a page adds to a form's documented body, to recognise programs that fill in forms. Both are optional. */
export const formChecks = {
  website: z.string().max(1000).optional().describe('A field that people do not see; filled, it is refused.'),
  filledMs: z
    .number()
    .min(0)
    .optional()
    .describe('Milliseconds from seeing the form to sending it; under 1000 it is refused.'),
};
