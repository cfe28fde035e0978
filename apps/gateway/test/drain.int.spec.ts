import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, type ServiceProcess, startServiceProcess } from '#libs/testing';
import { publicUrl, startSite, type SiteUnderTest } from './site.harness.js';

/** How late the load balancer learns that an endpoint is gone, in milliseconds. */
const removedAfterMs = 2_000;
const shutdownDelayMs = 4_000;

let site: SiteUnderTest;
let leaving: ServiceProcess;
beforeAll(async () => {
  site = await startSite({ without: ['messaging', 'orders', 'projects'], seed: 'demo' });
  leaving = startServiceProcess('gateway', {
    PORT: '0',
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    REDIS_URL: site.redis.url,
    WEB_URL: site.web.url,
    IMAGES_DIR: site.imagesDir,
    SHUTDOWN_DELAY_MS: String(shutdownDelayMs),
  });
  await leaving.ready();
});
afterAll(async () => {
  leaving?.child.kill('SIGKILL');
  await site?.stop();
});

/**
 * Distributes new connections to its endpoints in turn, like kube-proxy. Open connections stay when their
 * endpoint is removed.
 */
class LoadBalancer {
  readonly server: Server;
  /** New connections since the endpoint was told to stop, by port. */
  readonly opened = new Map<number, number>();
  private turn = 0;
  private readonly sockets = new Set<Socket>();

  constructor(public endpoints: number[]) {
    this.server = createServer({ allowHalfOpen: true }, (client) => {
      const port = this.endpoints[this.turn++ % this.endpoints.length]!;
      this.opened.set(port, (this.opened.get(port) ?? 0) + 1);
      const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.sockets.add(socket);
        socket.pipe(other);
        socket.on('error', () => other.resetAndDestroy());
        socket.on('close', () => this.sockets.delete(socket));
      }
    });
  }

  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}

/** Resolves with the answer once its body has been read. */
async function get(port: number, agent: Agent): Promise<IncomingMessage> {
  const asked = request({ port, host: '127.0.0.1', path: '/banner', agent });
  const answered = once(asked.end(), 'response') as Promise<[IncomingMessage]>;
  const [answer] = await answered;
  await once(answer.resume(), 'end');
  return answer;
}

const portOf = ({ log }: ServiceProcess) => log.find(({ msg }) => msg === 'Ready')!.port as number;

/**
 * Sends requests until it is stopped: on connections that are used once, used all the time, or used again
 * after a while.
 */
class Load {
  readonly failures: unknown[] = [];
  sent = 0;
  private isStopped = false;
  private readonly single = new Agent({ keepAlive: false });
  private readonly busy = new Agent({ keepAlive: true, maxSockets: 4 });
  private readonly quiet = Array.from({ length: 30 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  private readonly workers: Promise<unknown>[];

  constructor(private readonly port: number) {
    const agents = [this.single, this.single, this.busy, this.busy, this.busy, this.busy];
    this.workers = [
      ...this.quiet.map((agent) => this.ask(agent)),
      ...agents.map((agent) => this.repeat(agent)),
    ];
  }

  /** Uses each idle connection once more, one after the other. */
  useQuietConnections(withinMs: number): void {
    for (const [index, agent] of this.quiet.entries()) {
      this.workers.push(wait((index * withinMs) / this.quiet.length).then(() => this.ask(agent)));
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.workers);
    for (const agent of [this.single, this.busy, ...this.quiet]) agent.destroy();
  }

  private async repeat(agent: Agent): Promise<void> {
    while (!this.isStopped) await this.ask(agent);
  }

  private async ask(agent: Agent): Promise<void> {
    this.sent += 1;
    try {
      const { statusCode } = await get(this.port, agent);
      if (statusCode !== 200) this.failures.push(statusCode);
    } catch (error) {
      this.failures.push(error);
      // Refused connections return at once, so without a pause there would be thousands.
      await wait(20);
    }
  }
}

test('a stopping gateway fails no request while load balancers still send to it', async () => {
  const port = portOf(leaving);
  const balancer = new LoadBalancer([Number(new URL(site.url).port), port]);
  const load = new Load(await balancer.listen());
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    expect((await get(port, kept)).headers.connection).toBe('keep-alive');
    await eventually(() => expect(load.sent).toBeGreaterThan(100));

    balancer.opened.clear();
    leaving.child.kill('SIGTERM');
    load.useQuietConnections(shutdownDelayMs);
    await wait(removedAfterMs);
    balancer.endpoints = balancer.endpoints.filter((endpoint) => endpoint !== port);

    expect(load.failures).toEqual([]);
    expect(balancer.opened.get(port)).toBeGreaterThan(0);
    expect((await leaving.health('/readyz')).status).toBe(503);
    const last = await get(port, kept);
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
    expect(await leaving.exited).toBe(0);
  } finally {
    await load.stop();
    kept.destroy();
    balancer.close();
  }
  expect(load.failures).toEqual([]);
});
