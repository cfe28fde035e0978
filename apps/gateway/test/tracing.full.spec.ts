import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '#libs/platform';
import {
  type Answer,
  eventually,
  freshDatabase,
  freshRedis,
  type BuiltProcess,
  Session,
  startBuiltProcess,
  type TestDatabase,
  type TestRedis,
} from '#libs/testing';
import type { RunningGateway } from '../gateway.js';
import { publicUrl, startGatewayWith } from './site.harness.js';
import { standInRenderer, type StandInRenderer } from './stand-in-renderer.js';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  service: string;
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<Span, 'service'>[] }[];
  }[];
}

/** The values of OTLP's SpanKind. */
const [server, client, consumer] = [2, 3, 5];
const message = {
  fullName: 'Augusta King',
  emailAddress: 'augusta@example.com',
  subject: 'A private matter',
  message: 'For your eyes only',
  messageStatus: 'UnRead',
};

async function startCollector(exports: Export[]): Promise<Server> {
  const collector = createServer((request, response) => {
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    void json(request).then((body) => {
      exports.push(body as Export);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  return collector;
}

describe('a request that is traced', () => {
  const exports: Export[] = [];
  const lines: string[] = [];
  let collector: Server;
  let databases: TestDatabase[];
  let redis: TestRedis;
  let web: StandInRenderer;
  let services: BuiltProcess[];
  let gateway: RunningGateway;
  let answer: Answer;
  let traceId: string;
  const pageAndFile: Answer[] = [];

  beforeAll(async () => {
    [collector, redis, web, ...databases] = await Promise.all([
      startCollector(exports),
      freshRedis(),
      standInRenderer(),
      freshDatabase(),
      freshDatabase(),
    ]);
    const { port } = collector.address() as AddressInfo;
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const sharedSettings = { ...tracing, REDIS_URL: redis.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
    const [contentUrl, messagingUrl] = databases.map(({ url }) => url) as [string, string];
    services = [
      startBuiltProcess('content', { ...sharedSettings, DATABASE_URL: contentUrl }),
      startBuiltProcess('messaging', {
        ...sharedSettings,
        DATABASE_URL: messagingUrl,
        PUBLIC_URL: publicUrl,
      }),
    ];
    await Promise.all(services.map((service) => service.ready()));
    const logger = createLogger('gateway', 'info', { write: (line: string) => void lines.push(line) });
    gateway = await startGatewayWith({ ...tracing, REDIS_URL: redis.url, WEB_URL: web.url }, logger);
    answer = await Session.visitor(gateway.url).post('/add-message', message);
    traceId = answer.headers.get('x-request-id')!.replaceAll('-', '');
    // The gateway does not have the file in `/assets`, so it gets that file from the web process.
    for (const path of ['/pricing/', '/assets/newer-1234.js'])
      pageAndFile.push(await Session.visitor(gateway.url).get(path, { headers: { Accept: 'text/html' } }));
    // The effects of a request continue after its answer; stopping the gateway then flushes its spans.
    await eventually(() => expect(spans().map(({ kind }) => kind)).toContain(consumer));
    await gateway.close();
  });
  afterAll(async () => {
    for (const { child, exited } of services) {
      child.kill('SIGKILL');
      await exited;
    }
    collector.close();
    collector.closeAllConnections();
    await Promise.all([redis.stop(), web.stop(), ...databases.map((database) => database.drop())]);
  });

  const spans = (): Span[] =>
    exports
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ resource, scopeSpans }) => {
        const service = resource.attributes.find(({ key }) => key === 'service.name')!.value.stringValue!;
        return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })));
      });
  const findSpan = (name: string, kind: number, within = traceId) =>
    spans().find((span) => span.name === name && span.kind === kind && span.traceId === within);

  test('is one connected trace, from the gateway through Redis to Postgres and to its effects', async () => {
    expect(answer.status).toBe(201);
    const request = findSpan('POST /add-message', server)!;
    const call = findSpan('messaging.addMessage', client)!;
    const handler = findSpan('messaging.addMessage', server)!;
    const event = findSpan('messages.received', consumer)!;
    expect(request).toMatchObject({ service: 'gateway' });
    expect(request.parentSpanId ?? '').toBe('');
    expect(call).toMatchObject({ service: 'gateway', parentSpanId: request.spanId });
    expect(handler).toMatchObject({ service: 'messaging', parentSpanId: call.spanId });
    expect(event).toMatchObject({ service: 'messaging', parentSpanId: handler.spanId });
    const statements = spans().filter(({ parentSpanId }) => parentSpanId === handler.spanId);
    expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['INSERT', 'COMMIT']));
    // While the event is being handled, the parent of a span may not be exported yet.
    await eventually(() => {
      const ids = new Set(spans().map(({ spanId }) => spanId));
      expect(spans().filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([]);
    });
  });

  test('passes its trace on to the web process, for rendered pages and proxied files', () => {
    expect(pageAndFile.map(({ status }) => status)).toEqual([200, 200]);
    // `00-<trace>-<parent>-01`
    const partsOf = (traceparent: unknown) => String(traceparent).split('-').slice(1, 3);
    const [pageTraceId, renderingSpanId] = partsOf(web.traceparents.get('/pricing'));
    const request = spans().find(({ kind, traceId: id }) => kind === server && id === pageTraceId)!;
    const rendering = { service: 'gateway', spanId: renderingSpanId, parentSpanId: request.spanId };
    expect(findSpan('POST /render', client, pageTraceId)).toMatchObject(rendering);
    const { headers } = web.proxiedRequests.find(({ url }) => url === '/assets/newer-1234.js')!;
    const [fileTraceId, fileSpanId] = partsOf(headers.traceparent);
    const fileRequest = spans().find(({ traceId: id }) => id === fileTraceId);
    expect(fileRequest).toMatchObject({ service: 'gateway', kind: server, spanId: fileSpanId });
  });

  test('has the same id in its trace and in its log line', () => {
    expect(spans().filter(({ name }) => name === 'POST /add-message')).toHaveLength(1);
    const answered = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ msg }) => msg === 'Answered');
    expect(answered).toMatchObject({ requestId: answer.headers.get('x-request-id'), traceId });
  });

  test('sends no personal data to the collector', () => {
    const sent = JSON.stringify(exports);
    for (const secret of Object.values(message)) if (secret !== 'UnRead') expect(sent).not.toContain(secret);
  });
});

test('a process does not load OpenTelemetry if tracing is off', () => {
  const loaded = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, imported] of readFileSync(file, 'utf8').matchAll(/^import[^;]*?"(\.\/[^"]+)";/gm))
      load(join(dirname(file), imported!));
  };
  for (const program of ['gateway', 'messaging']) load(`dist/bundle/${program}.js`);
  const filesDefining = (name: string) =>
    [...loaded].filter((file) => readFileSync(file, 'utf8').includes(`${name} = class`));
  // `RpcClient` shows that this search finds loaded classes, and the last expectation that the bundle contains the class of OpenTelemetry.
  expect(filesDefining('RpcClient')).toHaveLength(1);
  expect(filesDefining('BatchSpanProcessorBase')).toEqual([]);
  const files = readdirSync('dist/bundle').filter((file) => file.endsWith('.js'));
  const all = files.map((file) => readFileSync(join('dist/bundle', file), 'utf8'));
  expect(all.some((code) => code.includes('BatchSpanProcessorBase = class'))).toBe(true);
});
