import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { type GatewayProcess, startSite, type SiteUnderTest } from './site.harness.js';

/** How long the load balancer still uses an endpoint that is stopping, in milliseconds. */
const removedAfterMs = 2_000;
const shutdownDelayMs = 6_000;

let site: SiteUnderTest;
let stoppingGateway: GatewayProcess;
beforeAll(async () => {
  site = await startSite({ without: ['messaging', 'orders', 'projects'], seed: 'demo' });
  stoppingGateway = await site.startGatewayProcess({ SHUTDOWN_DELAY_MS: String(shutdownDelayMs) });
});
afterAll(() => site?.stop());

/** Distributes connections, not requests, as kube-proxy does. Connections stay open when their endpoint is removed. */
class LoadBalancer {
  readonly server: Server;
  /** By port. */
  readonly connectionCounts = new Map<number, number>();
  private turn = 0;
  private readonly sockets = new Set<Socket>();

  constructor(public endpoints: number[]) {
    this.server = createServer({ allowHalfOpen: true }, (client) => {
      const port = this.endpoints[this.turn++ % this.endpoints.length]!;
      this.connectionCounts.set(port, (this.connectionCounts.get(port) ?? 0) + 1);
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

async function get(port: number, agent: Agent): Promise<IncomingMessage> {
  const clientRequest = request({ port, host: '127.0.0.1', path: '/banner', agent });
  const [answer] = (await once(clientRequest.end(), 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return answer;
}

const portOf = ({ url }: { url: string }) => Number(new URL(url).port);

/**
 * Until it is stopped, sends requests on connections that are used once (`single`) or all the time (`busy`). A `quiet` connection is used only twice:
 * at the start, and by `useQuietConnections`.
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

  /** Sends one more request on each quiet connection, evenly spread over `withinMs`. */
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
    while (!this.isStopped) {
      await this.ask(agent);
      // Without a pause, sending requests would take a whole core.
      await wait(5);
    }
  }

  private async ask(agent: Agent): Promise<void> {
    this.sent += 1;
    try {
      const { statusCode } = await get(this.port, agent);
      if (statusCode !== 200) this.failures.push(statusCode);
    } catch (error) {
      this.failures.push(error);
    }
  }
}

test('a stopping gateway fails no request while load balancers still send to it', async () => {
  const stoppingPort = portOf(stoppingGateway);
  const balancer = new LoadBalancer([portOf(site), stoppingPort]);
  const load = new Load(await balancer.listen());
  const keepAliveAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    expect((await get(stoppingPort, keepAliveAgent)).headers.connection).toBe('keep-alive');
    await eventually(() => expect(load.sent).toBeGreaterThan(100));

    balancer.connectionCounts.clear();
    stoppingGateway.child.kill('SIGTERM');
    load.useQuietConnections(shutdownDelayMs);
    await eventually(async () => expect((await stoppingGateway.health('/readyz')).status).toBe(503));
    const last = await get(stoppingPort, keepAliveAgent);
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);

    await wait(removedAfterMs);
    balancer.endpoints = balancer.endpoints.filter((endpoint) => endpoint !== stoppingPort);

    expect(load.failures).toEqual([]);
    expect(balancer.connectionCounts.get(stoppingPort)).toBeGreaterThan(0);
    expect(await stoppingGateway.exited).toBe(0);
  } finally {
    await load.stop();
    keepAliveAgent.destroy();
    balancer.close();
  }
  expect(load.failures).toEqual([]);
});
