import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { operations } from '#libs/operations';
import {
  createLogger,
  makeDrainable,
  HealthServer,
  type HttpDrainOptions,
  Metrics,
  NestLogger,
  startTracing,
} from '#libs/platform';
import { Broadcaster, RpcClient, tracing } from '#libs/transport';
import { SiteAddress } from './answers/site-address.js';
import { AppModule } from './app.module.js';
import type { GatewayConfig } from './config.js';
import { ContentCache } from './content/content-cache.js';
import { withSpans } from './observe/request-spans.js';
import { Traffic } from './observe/traffic.js';
import { PolicyGuard } from './policy/policy.guard.js';
import { refuseMalformedHttp } from './problem/malformed-http.js';
import { HttpFailure } from './problem/problem.js';
import { ProblemSender } from './problem/problem.sender.js';
import { ThreadStreams } from './projects/thread-streams.js';
import { FrontDoor } from './front-door/front-door.js';
import { acceptJsonOnly } from './routing/json-body.js';
import { limitBodyTime } from './routing/body-time.js';
import { acceptRawBodies } from './routing/raw-body.js';
import { refuseUndeclaredRoutes, refuseUnservedOperations } from './routing/route-checks.js';
import type { GatewayDependencies } from './dependencies.module.js';

/** Connections that may wait to be accepted. Node's default of 511 cuts clients off when this process is busy for a second. */
const backlog = 4_096;

type DrainTimes = Pick<HttpDrainOptions, 'delayMs' | 'graceMs'>;

export interface RunningGateway {
  /** The address on this machine. */
  readonly url: string;
  readonly healthPort: number;
  /** Answers the requests in progress first. Without options, it stops taking requests immediately. */
  close(options?: DrainTimes): Promise<void>;
}

/** Replacements of defaults: the program passes its metrics, and tests pass the built files. */
interface GatewayParts extends Pick<GatewayDependencies, 'imageChild' | 'scalarPath'> {
  metrics?: Metrics;
}

/** Starts a gateway without touching the process (no signal handlers, no exit). */
export async function startGateway(
  config: GatewayConfig,
  logger: Logger = createLogger('gateway', config.LOG_LEVEL),
  { metrics = new Metrics('gateway'), ...builtFiles }: GatewayParts = {},
): Promise<RunningGateway> {
  const traces = await startTracing('gateway', config);
  const redisUrl = config.REDIS_URL;
  const rpc = new RpcClient({ redisUrl, caller: 'gateway', logger, observer: metrics.observer });
  const broadcaster = new Broadcaster({ redisUrl, name: 'gateway', logger });
  const health = new HealthServer({
    port: config.HEALTH_PORT,
    host: config.HEALTH_HOST,
    registry: metrics.registry,
  });
  const traffic = new Traffic(metrics.registry, logger);
  const app = await createApp({ config, logger, rpc, broadcaster, ...builtFiles }, traffic);
  traffic.registerStreamGauge(() => app.get(ThreadStreams).count);
  const drain = makeDrainable(app.getHttpServer() as Server);
  const close = async (options: DrainTimes = { delayMs: 0, graceMs: 0 }) => {
    health.state = 'draining';
    await drain({ ...options, onStoppedListening: () => app.get(ThreadStreams).endAll() });
    await app.close();
    await Promise.all([rpc.close(), broadcaster.close(), health.close()]);
    await traces?.stop();
  };
  try {
    const content = app.get(ContentCache);
    // Once content is loaded, public answers need neither Redis nor any service, so nothing else is checked. Until then, `latest` throws.
    health.addCheck('content', async () => void content.latest);
    await health.listen();
    // The port is set when the server emits `listening`, because requests may arrive before `app.listen` resolves.
    app.getHttpServer().once('listening', () => {
      app.get(SiteAddress).setPort((app.getHttpServer().address() as AddressInfo).port);
    });
    // Not awaited: the gateway starts without Redis, and answers 503 to calls that need it.
    for (const connecting of [rpc.connect(), broadcaster.connect()]) connecting.catch(() => undefined);
    // If gateways share a port, requests arrive as soon as this one listens, so it first waits for content, for a limited time.
    await content.start();
    await app.listen({ port: config.PORT, host: config.HOST, backlog });
  } catch (error) {
    await close();
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? new Error(`PORT: ${config.HOST}:${config.PORT} is in use by another process`)
      : error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  health.state = 'ready';
  logger.info({ port, healthPort: health.port }, 'Ready');
  return { url: `http://localhost:${port}`, healthPort: health.port, close };
}

async function createApp(
  dependencies: GatewayDependencies,
  traffic: Traffic,
): Promise<NestFastifyApplication> {
  const { config, logger } = dependencies;
  const adapter = new FastifyAdapter({
    bodyLimit: config.BODY_LIMIT_BYTES,
    // `false` trusts no proxy.
    trustProxy: config.TRUSTED_PROXIES.length > 0 && config.TRUSTED_PROXIES,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Long enough for the largest picture or part of a project file. `limitBodyTime` limits bodies that are not streamed.
    requestTimeout: Math.max(config.REQUEST_TIMEOUT_MS, config.IMAGE_TIMEOUT_MS),
    // While closing, Fastify still answers requests on open connections.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 16_384 },
    // The router refuses a malformed address before any hook runs.
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      problemSender().send(new HttpFailure('MALFORMED_REQUEST', 'The address is malformed.'), request, reply);
    },
    clientErrorHandler: refuseMalformedHttp,
    // No Nest middleware is used.
    skipMiddie: true,
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  refuseUndeclaredRoutes(fastify, operations);
  acceptJsonOnly(fastify);
  acceptRawBodies(fastify);
  limitBodyTime(fastify, config.REQUEST_TIMEOUT_MS);
  await fastify.register(fastifyCookie);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(dependencies), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const problemSender = () => app.get(ProblemSender);
  const frontDoor = app.get(FrontDoor);
  fastify.addHook('onResponse', (request, reply, done) => traffic.record(request, reply, done));
  const guard = app.get(PolicyGuard);
  fastify.addHook('preParsing', async (request, reply) => guard.authorize(request, reply));
  const admit: typeof frontDoor.admit = (request, reply, pass) => frontDoor.admit(request, reply, pass);
  adapter.setOnRequestHook(tracing.current ? withSpans(admit) : admit);
  await app.init();
  await fastify.ready();
  refuseUnservedOperations(fastify, operations);
  return app;
}
