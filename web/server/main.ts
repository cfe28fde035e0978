import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import {
  createLogger,
  makeDrainable,
  drainOnSignal,
  HealthServer,
  keepServingOnUnhandled,
  Metrics,
  startTracing,
} from '#libs/platform';
import type { ServerBundle } from '../src/lib/rendering.js';
import { createAnswerDurations } from './answer-durations.js';
import { readAssets } from './assets.js';
import { readWebConfig } from './config.js';
import type { Manifest } from './manifest.js';
import { DrawingProcess } from './preview/drawing-process.js';
import { createRenderer } from './renderer.js';
import { fileURLToPath } from 'node:url';

// Runs as dist/web/renderer/main.js, next to the two builds that it uses.
const clientFolder = fileURLToPath(new URL('../client', import.meta.url));
const serverBundleUrl = new URL('../ssr/entry-server.js', import.meta.url).href;

/** How long open connections may still send one more request once the server has stopped listening. */
const graceMs = 1_000;

const config = readWebConfig();
const logger = createLogger('web', config.LOG_LEVEL);
const metrics = new Metrics('web');
const { registry } = metrics;
const health = new HealthServer({ port: config.HEALTH_PORT, host: config.HEALTH_HOST, registry });
keepServingOnUnhandled({ logger, metrics, isServing: () => health.state !== 'starting' });
const durations = createAnswerDurations(registry);

const drawing = new DrawingProcess();

try {
  const traces = await startTracing('web', config);
  await health.listen();
  const pages = (await import(serverBundleUrl)) as ServerBundle;
  const renderer = await createRenderer({
    pages,
    drawLinkPreview: (preview) => drawing.draw(preview),
    assets: await readAssets(clientFolder),
    manifest: JSON.parse(await readFile(`${clientFolder}/.vite/manifest.json`, 'utf8')) as Manifest,
    publicUrl: config.PUBLIC_URL,
    mapEmbedUrl: config.MAP_EMBED_URL ?? null,
    google: config.GOOGLE_CLIENT_ID !== undefined,
    passwordMinLength: config.PASSWORD_MIN_LENGTH,
    inSpan: traces?.inSpan,
    onAnswer: (kind, status, seconds) => durations.observe({ kind, status }, seconds),
    logger,
  });
  const drain = makeDrainable(renderer);
  await new Promise<void>((resolve, reject) => {
    renderer.once('error', reject);
    renderer.listen(config.WEB_PORT, config.WEB_HOST, resolve);
  });
  const delayMs = config.SHUTDOWN_DELAY_MS;
  drainOnSignal({
    logger,
    delayMs,
    stop: async () => {
      health.state = 'draining';
      await drain({ delayMs, graceMs });
      drawing.stop();
      await Promise.all([health.close(), traces?.stop()]);
    },
  });
  health.state = 'ready';
  logger.info({ port: (renderer.address() as AddressInfo).port, healthPort: health.port }, 'Ready');
} catch (error) {
  logger.fatal({ err: error }, 'Cannot start');
  process.exit(1);
}
