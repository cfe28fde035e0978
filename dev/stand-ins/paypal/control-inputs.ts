import { z } from 'zod';
import type { NotificationState } from './model.js';
import { Refusal } from './refusal.js';

/** A list contains at most this many records: the newest ones. */
export const maxListed = 1_000;

export const text = (most: number) => z.string().max(most);
export const url = text(1024).refine(
  (value) => /^https?:/.test(value) && URL.canParse(value),
  'must be a web address',
);
export const paymentMatch = z.strictObject({
  invoice: text(127).optional(),
  custom: text(255).optional(),
  transactionId: text(17).optional(),
  orderId: text(36).optional(),
  subscriptionId: text(50).optional(),
});
/** How many messages or calls are affected; all if it is missing. */
export const times = z.int().min(1).max(1_000_000).optional();

export const buyer = z
  .strictObject({
    firstName: text(64).min(1).optional(),
    lastName: text(64).min(1).optional(),
    email: z.email().max(127).optional(),
    countryCode: text(2)
      .regex(/^[A-Z]{2}$/)
      .optional(),
  })
  .optional();

const dayMs = 24 * 3_600_000;
/** At most 366 days. */
export const milliseconds = z
  .int()
  .min(0)
  .max(366 * dayMs);

export const certificateFault = z.enum(['other host', 'expired', 'not trusted', 'no chain']);

const notificationStates = [
  'waiting',
  'held',
  'delivered',
  'given up',
  'dropped',
] as const satisfies NotificationState[];
export const notificationQuery = paymentMatch.extend({
  url: url.optional(),
  state: z.enum(notificationStates).optional(),
});

export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Refusal(400, issue!.message, issue!.path.join('.') || undefined);
}
