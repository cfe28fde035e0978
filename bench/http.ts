import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { eventually } from '#libs/testing';
import { startStack } from '../dev/stack/start-stack.js';
import { median, readProcess } from './measures.js';
import type { Row } from './row.js';

const connections = 32;
const secondsPerRound = 4;
const rounds = 3;

interface Measurement {
  requestsPerSecond: number;
  /** CPU time (user and system) per request. */
  cpuMicroseconds: number;
  p99Milliseconds: number;
}

interface Target {
  url: string;
  pid: number;
  headers: Record<string, string>;
}

/**
 * Compares public answers of the gateway with a plain node:http server that sends the same bytes and headers. Both are measured in turns, so that
 * the load of the machine affects both equally.
 */
export async function run(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-http-'));
  const stack = await startStack({ port: 0, dataDir, quiet: true });
  try {
    const gateway = stack.services['gateway']?.[0];
    if (!gateway) throw new Error('The stack started without a gateway.');
    const rows: Row[] = [];
    for (const [path, accept, encoding] of [
      ['/banner', 'application/json', 'identity'],
      ['/service-items', 'application/json', 'identity'],
      ['/', 'text/html', 'identity'],
      ['/', 'text/html', 'br'],
    ] as const) {
      const headers = { accept, 'accept-encoding': encoding };
      rows.push(...(await compare(path, { url: stack.url, pid: gateway.pid, headers })));
    }
    return rows;
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function compare(path: string, gateway: Target): Promise<Row[]> {
  const plain = await startPlainServer(new URL(path, gateway.url), gateway.headers);
  try {
    const ours: Measurement[] = [];
    const theirs: Measurement[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await measure({ ...gateway, url: new URL(path, gateway.url).href }));
      theirs.push(await measure(plain));
    }
    const encoding = gateway.headers['accept-encoding'];
    const name = `GET ${path}${encoding === 'br' ? ' (brotli)' : ''}`;
    const gatewayRate = median(ours.map((one) => one.requestsPerSecond));
    const plainRate = median(theirs.map((one) => one.requestsPerSecond));
    return [
      {
        name: `${name}: requests`,
        value: gatewayRate,
        unit: '/s',
        note: `plain node:http ${Math.round(plainRate)}/s, ${plain.bytes} bytes`,
      },
      { name: `${name}: ratio to plain node:http`, value: gatewayRate / plainRate, unit: '' },
      {
        name: `${name}: CPU`,
        value: median(ours.map((one) => one.cpuMicroseconds)),
        unit: 'µs/request',
        note: `plain node:http ${median(theirs.map((one) => one.cpuMicroseconds)).toFixed(1)}`,
      },
      { name: `${name}: p99`, value: median(ours.map((one) => one.p99Milliseconds)), unit: 'ms' },
    ];
  } finally {
    plain.stop();
  }
}

async function measure(target: Target): Promise<Measurement> {
  const cpuBefore = readProcess(target.pid).cpuMicroseconds;
  const result = await autocannon({
    url: target.url,
    connections,
    duration: secondsPerRound,
    headers: target.headers,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${target.url}: ${result.non2xx} answers were not 2xx, ${result.errors} requests failed.`,
    );
  }
  const answered = result['2xx'];
  return {
    requestsPerSecond: answered / result.duration,
    cpuMicroseconds: (readProcess(target.pid).cpuMicroseconds - cpuBefore) / answered,
    p99Milliseconds: result.latency.p99,
  };
}

async function startPlainServer(
  original: URL,
  headers: Record<string, string>,
): Promise<Target & { bytes: number; stop(): void }> {
  // The gateway compresses in the background, so the first answers may not be compressed yet.
  const answer = await eventually(() => fetchUndecoded(original, headers));
  const server = fork(fileURLToPath(new URL('./plain-server.js', import.meta.url)));
  const skipped = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);
  server.send({
    headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !skipped.has(name))),
    body: answer.body.toString('base64'),
  });
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  return {
    url,
    pid: server.pid ?? 0,
    headers,
    bytes: answer.body.length,
    stop: () => void server.kill(),
  };
}

/** The undecoded bytes (`fetch` would decode them). Rejects unless the answer is 200 and in the requested encoding. */
async function fetchUndecoded(
  address: URL,
  headers: Record<string, string>,
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const [response] = (await once(get(address, { headers }), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  if (response.statusCode !== 200) throw new Error(`${address.href} answered ${response.statusCode}.`);
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== headers['accept-encoding']) throw new Error(`${address.href} was encoded as ${encoding}.`);
  return { headers: response.headers, body: Buffer.concat(chunks) };
}
