import { z } from 'zod';
import { loadConfig, serviceSettings } from '#libs/platform';

export const ordersSettings = z.object(serviceSettings);

export type OrdersConfig = z.output<typeof ordersSettings>;

/** Nest's token for the configuration. */
export const ORDERS_CONFIG = Symbol('orders config');

/** Exits with one line per bad setting. */
export const readOrdersConfig = (): OrdersConfig => loadConfig(ordersSettings, process.env);
