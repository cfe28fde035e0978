import type { z } from 'zod';
import { setting } from '#libs/platform';

/** The environment variables that concern taxes. */
export const taxEnvironment = {
  /** The address of VIES, the European Commission's register of VAT ids. Empty: VAT ids are checked by their form only. */
  VIES_URL: setting.httpUrl().optional(),
};

export type TaxConfig = z.output<z.ZodObject<typeof taxEnvironment>>;
