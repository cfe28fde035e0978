import type { z } from 'zod';
import { setting } from '#libs/platform';

export interface SubscriptionSettings {
  /** How long service goes on after a charge has failed. */
  graceMs: number;
}

export const SUBSCRIPTION_SETTINGS = Symbol('subscription settings');

export const subscriptionEnvironment = {
  /** Less than a month, so that two charges are never outstanding at the same time. */
  SUBSCRIPTION_GRACE_DAYS: setting.integer(1, 25).default(10),
};

export function subscriptionSettings({
  SUBSCRIPTION_GRACE_DAYS: days,
}: z.output<z.ZodObject<typeof subscriptionEnvironment>>): SubscriptionSettings {
  return { graceMs: days * 86_400_000 };
}
