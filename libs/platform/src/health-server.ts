import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { within } from '#libs/runtime';

/** Rejects with the reason if the dependency is not available. */
export type ReadinessCheck = () => Promise<unknown>;

export interface HealthServerOptions {
  /** 0 picks a free port. */
  port: number;
  host?: string;
  registry: Registry;
  /** Default 1 000 ms. */
  checkTimeoutMs?: number;
}

export type HealthState = 'starting' | 'ready' | 'draining';

interface CheckResult {
  status: 'up' | 'down';
  reason?: string;
}

/**
 * Answers an orchestrator’s requests about this process, on a separate port:
 * - `GET /healthz`: the process is alive. No dependency is checked: restarting this process would not repair Postgres.
 * - `GET /readyz`: `{ status, checks: { <dependency>: { status, reason? } } }`, with 200 if the process can serve, else 503.
 * - `GET /metrics`: Prometheus's format.
 */
export class HealthServer {
  /** `/readyz` is 503 unless this is `ready`, whatever the checks say. */
  state: HealthState = 'starting';
  private readonly checks = new Map<string, () => Promise<CheckResult>>();
  private readonly server: Server;

  constructor(private readonly options: HealthServerOptions) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
    this.server.keepAliveTimeout = 5_000;
  }

  /** `name` is what operators see, such as `postgres`. */
  addCheck(name: string, check: ReadinessCheck): void {
    let pending: Promise<CheckResult> | undefined;
    // Simultaneous requests share one check.
    this.checks.set(name, () => {
      pending ??= this.runCheck(check).finally(() => (pending = undefined));
      return pending;
    });
  }

  /** Rejects with one sentence if the port is taken. */
  async listen(): Promise<void> {
    const { port, host = '127.0.0.1' } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => {
        const isPortTaken = error.code === 'EADDRINUSE';
        reject(isPortTaken ? new Error(`HEALTH_PORT: ${host}:${port} is in use by another process`) : error);
      });
      this.server.listen(port, host, resolve);
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0];
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(response, 405, { status: 'GET only' });
    if (path === '/healthz') return send(response, 200, { status: 'up' });
    if (path === '/readyz') return this.answerReadiness(response);
    if (path === '/metrics') {
      response.setHeader('content-type', this.options.registry.contentType);
      response.end(await this.options.registry.metrics());
      return;
    }
    send(response, 404, { status: 'not found' });
  }

  private async answerReadiness(response: ServerResponse): Promise<void> {
    const results = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await check()] as const),
    );
    const allUp = results.every(([, { status }]) => status === 'up');
    const status = this.state === 'ready' && !allUp ? 'unready' : this.state;
    send(response, status === 'ready' ? 200 : 503, { status, checks: Object.fromEntries(results) });
  }

  private async runCheck(check: ReadinessCheck): Promise<CheckResult> {
    const timeoutMs = this.options.checkTimeoutMs ?? 1_000;
    try {
      await within(timeoutMs, check(), `no answer within ${timeoutMs} ms`);
      return { status: 'up' };
    } catch (error) {
      return { status: 'down', reason: reasonOf(error) };
    }
  }
}

/** Node reports a refused connection to `localhost` as an AggregateError with an empty message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
