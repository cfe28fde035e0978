import type { DynamicModule, INestMicroservice, Provider, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { ServiceName } from '#libs/contracts';
import {
  DatabaseRetryInterceptor,
  Outbox,
  poolUse,
  OutboxRelay,
  RetentionSweeper,
  traceQueries,
} from '#libs/database';
import { Clock, SystemClock, within } from '#libs/runtime';
import { Broadcaster, EventPublisher, StreamsServer } from '#libs/transport';
import { HealthServer } from './health-server.js';
import { LOGGER, type LogLevel } from './logger.js';
import { Metrics } from './metrics.js';
import { NestLogger } from './nest-logger.js';
import { startTracing, type TracingConfig } from './tracing/start-tracing.js';

interface ServiceConfig extends TracingConfig {
  REDIS_URL: string;
  HEALTH_PORT: number;
  HEALTH_HOST: string;
  LOG_LEVEL: LogLevel;
}

export interface ServiceOptions {
  name: ServiceName;
  config: ServiceConfig;
  /** Must import `DatabaseModule.forRoot(...)`. */
  module: Type | DynamicModule;
}

export interface RunningService {
  readonly app: INestMicroservice;
  readonly healthPort: number;
  /** Finishes the work under way, then closes everything. */
  close(): Promise<void>;
}

/** How long a starting service waits for Redis. */
const bootTimeoutMs = 60_000;

/** Less than the `drainTimeoutMs` of `drainOnSignal`, so that unfinished work is reported before the process exits. */
const drainTimeoutMs = 8_000;

export async function openService({
  name,
  config,
  module,
  logger,
}: ServiceOptions & { logger: Logger }): Promise<RunningService> {
  const { REDIS_URL: redisUrl } = config;
  const clock = new SystemClock();
  const metrics = new Metrics(name);
  const health = new HealthServer({
    port: config.HEALTH_PORT,
    host: config.HEALTH_HOST,
    registry: metrics.registry,
  });
  const server = new StreamsServer({
    service: name,
    redisUrl,
    drainTimeoutMs,
    logger,
    observer: metrics.observer,
    clock,
  });
  const publisher = new EventPublisher({ redisUrl, name, logger, clock });
  const broadcaster = new Broadcaster({ redisUrl, name, logger });
  // In the order of closing.
  const closeSteps: (() => Promise<unknown>)[] = [];
  const close = async () => {
    health.state = 'draining';
    while (closeSteps.length > 0) await closeSteps.shift()?.();
  };
  try {
    const tracing = await startTracing(name, config);
    if (tracing) {
      traceQueries();
      closeSteps.unshift(() => tracing.stop());
    }
    await health.listen();
    closeSteps.unshift(() => health.close());
    logger.info({ healthPort: health.port }, 'Starting');
    metrics.watchQueue(() => server.readQueueStats());
    health.addCheck('redis', async () => {
      if (!server.ready) throw new Error('this process takes no requests from Redis');
      // Only to see whether Redis answers.
      await publisher.redisRunId();
    });
    closeSteps.unshift(() => Promise.all([publisher.close(), broadcaster.close()]));
    await waitForRedis(redisUrl, Promise.all([publisher.connect(), broadcaster.connect()]));

    const app = await createApp(module, server, { broadcaster, metrics, logger, clock });
    closeSteps.unshift(() => app.close());
    const background = startBackground(app, { publisher, logger, metrics, health });
    closeSteps.unshift(() => background.stop());
    // Closes before the outbox relay, because handlers still write events that the relay should send.
    closeSteps.unshift(() => server.close());
    await app.listen();
    health.state = 'ready';
    logger.info('Ready');
    let closed: Promise<void> | undefined;
    return { app, healthPort: health.port, close: () => (closed ??= close()) };
  } catch (error) {
    await close();
    throw error;
  }
}

interface AppParts {
  broadcaster: Broadcaster;
  metrics: Metrics;
  logger: Logger;
  clock: Clock;
}

async function createApp(
  module: ServiceOptions['module'],
  server: StreamsServer,
  { broadcaster, metrics, logger, clock }: AppParts,
): Promise<INestMicroservice> {
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(
    withProviders(module, [
      { provide: Broadcaster, useValue: broadcaster },
      { provide: Metrics, useValue: metrics },
      { provide: LOGGER, useValue: logger },
      { provide: Clock, useValue: clock },
    ]),
    { strategy: server, logger: new NestLogger(logger), abortOnError: false },
  );
  app.useGlobalInterceptors(new DatabaseRetryInterceptor());
  return app;
}

/** Connections retry forever, but a starting service must give up at some point. */
async function waitForRedis(redisUrl: string, connected: Promise<unknown>): Promise<void> {
  const waitedSeconds = bootTimeoutMs / 1_000;
  await within(
    bootTimeoutMs,
    connected,
    `Redis at ${new URL(redisUrl).host} did not answer within ${waitedSeconds} s`,
  );
}

interface BackgroundDependencies {
  publisher: EventPublisher;
  logger: Logger;
  metrics: Metrics;
  health: HealthServer;
}

/** Starts the outbox relay, the sweeper, and the health check of Postgres. */
function startBackground(
  app: INestMicroservice,
  { publisher, logger, metrics, health }: BackgroundDependencies,
) {
  const dataSource = app.get(DataSource, { strict: false });
  const outbox = app.get(Outbox, { strict: false });
  const relay = new OutboxRelay({ dataSource, outbox, sink: publisher, logger });
  const sweeper = new RetentionSweeper({ dataSource, logger });
  health.addCheck('postgres', () => dataSource.query('SELECT 1'));
  metrics.watchOutbox(() => relay.backlog());
  metrics.watchPool(() => poolUse(dataSource));
  relay.start();
  sweeper.start();
  return { stop: () => Promise.all([relay.stop(), sweeper.stop()]) };
}

function withProviders(module: Type | DynamicModule, providers: Provider[]): DynamicModule {
  class ServiceModule {}
  return {
    module: ServiceModule,
    global: true,
    imports: [module],
    providers,
    exports: providers.map((provider) => (provider as { provide: symbol | Type }).provide),
  };
}
