import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Logger } from 'pino';
import { LOGGER } from '#libs/platform';
import { Draining } from '../answers/draining.js';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';
import { sendPlainPage } from './plain-page.js';

/** None is any business of the web process, which serves everybody the same and belongs to no trace of a visitor's. */
const keptFromWeb = ['cookie', 'authorization', 'traceparent', 'tracestate'];
/** The gateway decides these. */
const keptFromClient = ['set-cookie', 'server', 'x-powered-by', 'access-control-allow-origin', 'keep-alive'];

/** Carries assets and the shells of private pages from the web process. */
@Injectable()
export class WebProxy implements OnApplicationShutdown {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 128 });
  private readonly middleware;
  private readonly traces = new WeakMap<IncomingMessage, string>();

  constructor(
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly draining: Draining,
  ) {
    this.middleware = createProxyMiddleware<IncomingMessage, ServerResponse>({
      target: config.WEB_URL,
      changeOrigin: true,
      agent: this.agent,
      proxyTimeout: config.WEB_TIMEOUT_MS,
      on: {
        proxyReq: (proxied, request) => {
          for (const name of keptFromWeb) proxied.removeHeader(name);
          const traceparent = this.traces.get(request);
          if (traceparent) proxied.setHeader('traceparent', traceparent);
        },
        proxyRes: (answer) => this.dress(answer),
        error: (error, request, response) => this.fail(error, request, response as ServerResponse),
      },
    });
  }

  /** `traceparent` is the W3C trace context of its span, where requests are traced. */
  forward(request: IncomingMessage, response: ServerResponse, traceparent?: string): void {
    if (traceparent) this.traces.set(request, traceparent);
    void this.middleware(request, response, (error) => this.fail(error, request, response));
  }

  onApplicationShutdown(): void {
    this.agent.destroy();
  }

  /** Gives the web's answer the headers of this site. */
  private dress(answer: IncomingMessage): void {
    for (const name of keptFromClient) delete answer.headers[name];
    const isPage = answer.headers['content-type']?.startsWith('text/html') ?? false;
    for (const [name, value] of Object.entries(isPage ? this.headers.page : this.headers.asset)) {
      answer.headers[name.toLowerCase()] = value;
    }
    // Some shells share their address with a call of the API.
    const shell = { 'cache-control': 'private, no-cache', vary: 'Accept', 'x-robots-tag': 'noindex' };
    if (isPage) Object.assign(answer.headers, shell);
    if (this.draining.isUnderWay) answer.headers.connection = 'close';
  }

  private fail(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    this.logger.warn({ err: error, path: request.url?.split('?')[0] }, 'The web process did not answer');
    sendPlainPage(502, { response, headers: this.headers, withBody: request.method !== 'HEAD' });
  }
}
