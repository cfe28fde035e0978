import { z } from 'zod';
import { isCurrency, parseAmount } from '../money.js';
import { ApiError } from './errors.js';

// The request bodies of the catalog and subscription APIs, with the properties that the simulator supports. Other properties are refused if they
// would change the price or the start of the subscription, and ignored otherwise.

const text = (least: number, most: number) => z.string().min(least).max(most);
const unsupported = z.undefined().optional();

const money = z
  .object({ currency_code: text(3, 3).refine(isCurrency), value: text(1, 32) })
  .transform(({ currency_code: currency, value }, { addIssue }) => {
    const minor = parseAmount(value, currency);
    if (minor) return { currency, minor };
    addIssue('is not an amount');
    return z.NEVER;
  });

const product = z.object({
  // PayPal generates the ids that begin with PROD-.
  id: text(6, 50)
    .regex(/^(?!PROD-)/)
    .optional(),
  name: text(1, 127),
  description: text(1, 256).optional(),
  type: z.enum(['PHYSICAL', 'DIGITAL', 'SERVICE']),
  category: text(4, 256).optional(),
  image_url: text(1, 2_000).optional(),
  home_url: text(1, 2_000).optional(),
});
export type ProductRequest = z.output<typeof product>;

const regularCycle = z.object({
  frequency: z.object({
    interval_unit: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']),
    interval_count: z.int().min(1).max(365).default(1),
  }),
  tenure_type: z.literal('REGULAR'),
  sequence: z.literal(1),
  total_cycles: z.int().min(0).max(999).default(1),
  pricing_scheme: z.object({ fixed_price: money }),
});

const plan = z
  .object({
    product_id: text(6, 50),
    name: text(1, 127),
    description: text(1, 127).optional(),
    status: z.enum(['CREATED', 'ACTIVE']).default('ACTIVE'),
    billing_cycles: z.tuple([regularCycle]),
    payment_preferences: z.object({
      auto_bill_outstanding: z.boolean().default(true),
      payment_failure_threshold: z.int().min(0).max(999).default(0),
      setup_fee: unsupported,
    }),
    taxes: unsupported,
  })
  .transform(({ billing_cycles: [cycle], payment_preferences: preferences, ...body }) => ({
    productId: body.product_id,
    name: body.name,
    description: body.description,
    /** A stored plan (`PlanRecord`) can also be INACTIVE, after it was deactivated. */
    status: body.status as 'CREATED' | 'ACTIVE' | 'INACTIVE',
    price: cycle.pricing_scheme.fixed_price,
    frequency: { unit: cycle.frequency.interval_unit, count: cycle.frequency.interval_count },
    /** 0: subscriptions to the plan renew until they are cancelled. */
    totalCycles: cycle.total_cycles,
    billsOutstanding: preferences.auto_bill_outstanding,
    /** The subscription is suspended after this many failures in a row; 0 for never. */
    failureThreshold: preferences.payment_failure_threshold,
  }));
export type PlanRequest = z.output<typeof plan>;

const webAddress = z
  .url({ protocol: /^https?$/ })
  .min(10)
  .max(4_000);
const context = z
  .object({
    return_url: webAddress,
    cancel_url: webAddress,
    user_action: z.enum(['CONTINUE', 'SUBSCRIBE_NOW']).default('SUBSCRIBE_NOW'),
  })
  .transform((wanted) => ({
    returnUrl: wanted.return_url,
    cancelUrl: wanted.cancel_url,
    /** Whether the merchant has to activate the subscription after the approval. */
    needsActivation: wanted.user_action === 'CONTINUE',
  }));
export type ApprovalContext = z.output<typeof context>;

const subscription = z.object({
  plan_id: text(3, 50),
  custom_id: text(1, 127)
    .regex(/^[\x20-\x7e]+$/)
    .optional(),
  application_context: context.optional(),
  start_time: unsupported,
  quantity: unsupported,
  shipping_amount: unsupported,
  plan: unsupported,
});
export type SubscriptionRequest = z.output<typeof subscription>;

const reason = text(1, 128);

export const bodies = {
  product,
  plan,
  subscription,
  revision: subscription.omit({ custom_id: true, start_time: true }),
  reason: z.object({ reason }),
  activation: z.object({ reason: reason.optional() }),
  capture: z.object({ note: reason, capture_type: z.literal('OUTSTANDING_BALANCE'), amount: money }),
};

/** Throws 400 with PayPal's issue for the first fault. */
export function readBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const fault = result.error.issues[0]!;
  const field = `/${fault.path.join('/')}`;
  const [issue, description] = issueOf(fault, valueAt(body, fault.path));
  throw new ApiError('INVALID_REQUEST', [{ issue, description, field, location: 'body' }]);
}

function issueOf(fault: z.core.$ZodIssue, value: unknown): readonly [issue: string, description: string] {
  if (value === undefined) return ['MISSING_REQUIRED_PARAMETER', 'A required field is missing.'];
  if (fault.code === 'too_big' && fault.origin === 'string')
    return ['INVALID_STRING_MAX_LENGTH', 'The value of a field is too long.'];
  if (fault.code === 'too_big' && isOfInteger(fault))
    return ['INVALID_INTEGER_MAX_VALUE', 'The integer value of a field is too large.'];
  if (fault.code === 'too_small' && isOfInteger(fault))
    return ['INVALID_INTEGER_MIN_VALUE', 'The integer value of a field is too small.'];
  return ['INVALID_PARAMETER_VALUE', 'The value of a field is invalid.'];
}

/** For an integer beyond the safe ones, zod's `origin` is `int`; otherwise, it is `number`. */
const isOfInteger = ({ origin }: { origin: string }) => origin === 'int' || origin === 'number';

const valueAt = (value: unknown, path: PropertyKey[]): unknown =>
  path.reduce((inner, step) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[step], value);
