import { z } from 'zod';
import { loadConfig, serviceSettings } from '#libs/platform';

const settings = z.object(serviceSettings);

export type MessagingConfig = z.output<typeof settings>;

/** Exits with one line per bad setting. */
export const readMessagingConfig = (): MessagingConfig => loadConfig(settings, process.env);
