import { z } from 'zod';
import { loadConfig, serviceSettings, setting } from '#libs/platform';

export const contentSettings = z.object({
  ...serviceSettings,
  /** `demo` fills an empty database with the site of a fictional agency. */
  SEED: setting.choice(['demo', 'none']).default('none'),
});

export type ContentConfig = z.output<typeof contentSettings>;

export function loadContentConfig(): ContentConfig {
  return loadConfig(contentSettings, process.env);
}
