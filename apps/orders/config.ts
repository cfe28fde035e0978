import { z } from 'zod';
import { loadConfig, serviceSettings } from '#libs/platform';

const settings = z.object(serviceSettings);

export type OrdersConfig = z.output<typeof settings>;

/** Exits with one line per bad setting. */
export const readOrdersConfig = (): OrdersConfig => loadConfig(settings, process.env);
