import type { z } from 'zod';
import { type PaymentProviderDefinition, paymentProviders } from '#libs/contracts';
import { setting } from '#libs/platform';

type Provider = (typeof paymentProviders)[number];
type Settings = { [P in Provider as `${P['settingsPrefix']}_MODE`]: z.ZodType<string> } & {
  [P in Provider as `${P['settingsPrefix']}_SIMULATOR_URL`]: z.ZodType<string | undefined>;
};

/** Settings of the orders service. The gateway uses them for its `form-action` policy, and removes demo data only if all providers are simulated. */
export const checkoutSettings = Object.fromEntries(
  paymentProviders.flatMap(({ settingsPrefix: prefix, checkoutOrigins }: PaymentProviderDefinition) => [
    [`${prefix}_MODE`, setting.choice(['simulator', ...Object.keys(checkoutOrigins)]).default('simulator')],
    [`${prefix}_SIMULATOR_URL`, setting.url(['http', 'https']).optional()],
  ]),
) as Settings;

export function checkoutOriginsOf(config: z.output<z.ZodObject<Settings>>): string[] {
  const values = config as Record<string, string | undefined>;
  const origins = paymentProviders.flatMap(
    ({ settingsPrefix: prefix, checkoutOrigins }: PaymentProviderDefinition) => {
      const mode = values[`${prefix}_MODE`]!;
      const address = checkoutOrigins[mode] ?? values[`${prefix}_SIMULATOR_URL`];
      return address === undefined ? [] : [new URL(address).origin];
    },
  );
  return [...new Set(origins)];
}

export function usesOnlySimulators(config: z.output<z.ZodObject<Settings>>): boolean {
  const values = config as Record<string, string | undefined>;
  return paymentProviders.every(({ settingsPrefix }) => values[`${settingsPrefix}_MODE`] === 'simulator');
}
