import 'reflect-metadata';
import { createLogger, drainOnSignal, keepServingOnUnhandled, Metrics } from '#libs/platform';
import { loadGatewayConfig } from './config.js';
import { type RunningGateway, startGateway } from './gateway.js';

/** How long open connections may send one more request after the gateway has stopped listening, in milliseconds. */
const graceMs = 1_000;

const config = loadGatewayConfig();
const logger = createLogger('gateway', config.LOG_LEVEL);
let running: RunningGateway | undefined;
const metrics = new Metrics('gateway');
keepServingOnUnhandled({ logger, metrics, isServing: () => running !== undefined });
const delayMs = config.SHUTDOWN_DELAY_MS;
drainOnSignal({ logger, delayMs, stop: async () => running?.close({ delayMs, graceMs }) });
try {
  running = await startGateway(config, logger, { metrics });
  process.send?.({ listening: running.url });
} catch (error) {
  logger.fatal({ err: error }, error instanceof Error ? error.message : 'Cannot start');
  process.exit(1);
}
