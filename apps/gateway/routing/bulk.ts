import { z } from 'zod';
import { bulkOutcome, chosenIds } from '#libs/contracts';

/** The body of a call about records that somebody chose. */
export const chosenBody = z.strictObject({ ids: chosenIds });

/** Which of the records were changed, and why others were not: the call as a whole succeeds. */
export const bulkAnswer = bulkOutcome.meta({ id: 'BulkOutcome' });
