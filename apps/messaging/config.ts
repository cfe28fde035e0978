import { z } from 'zod';
import { loadConfig, serviceSettings } from '#libs/platform';

export const messagingSettings = z.object(serviceSettings);

export type MessagingConfig = z.output<typeof messagingSettings>;

/** Exits with one line per bad setting. */
export const readMessagingConfig = (): MessagingConfig => loadConfig(messagingSettings, process.env);
