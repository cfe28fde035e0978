import type { z } from 'zod';
import { setting } from '#libs/platform';

export const taxEnvironment = {
  /** The register of VAT IDs (`vies.client.ts`). Empty: VAT IDs are checked by their form only. */
  VIES_URL: setting.httpUrl().optional(),
};

export type TaxConfig = z.output<z.ZodObject<typeof taxEnvironment>>;
