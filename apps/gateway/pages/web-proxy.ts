import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Logger } from 'pino';
import { DomainError } from '#libs/contracts';
import { clientNetwork, FairQueue, LOGGER } from '#libs/platform';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';
import { clientAddress } from '../limits/client-address.js';
import type { GatewayRequest } from '../routing/gateway-request.js';
import { sendPlainPage } from '../answers/plain-page.js';

/**
 * The request headers that are passed on. Node refuses to send some others, such as `Trailer` in a request without a chunked body. The web process
 * does not need the visitor's cookies or trace context.
 */
const forwardedHeaders = ['accept', 'accept-encoding', 'if-none-match'] as const;
const removedAnswerHeaders = [
  'set-cookie',
  'server',
  'x-powered-by',
  'access-control-allow-origin',
  'keep-alive',
];

const queueLimits = { concurrency: 64, maxWaitingSize: 256, retryAfterSeconds: 1 };

/** Passes requests for files that are in none of the known builds (see `WebBuilds`) on to the web process. Client networks take turns. */
@Injectable()
export class WebProxy implements OnApplicationShutdown {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly queue = new FairQueue(queueLimits);
  private readonly middleware;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.middleware = createProxyMiddleware<IncomingMessage, ServerResponse>({
      target: config.WEB_URL,
      changeOrigin: true,
      agent: this.agent,
      proxyTimeout: config.WEB_TIMEOUT_MS,
      on: {
        proxyRes: (answer, request, response) => {
          this.replaceHeaders(answer, response);
          answer.once('close', () => {
            // The answer was cut off, so the client must not wait for the rest.
            if (!answer.complete) response.destroy();
            settle(request);
          });
        },
        error: (error, request, response) => {
          this.sendFailure(error, request, response as ServerResponse);
          settle(request);
        },
        // Emitted instead of `error` if the client has disconnected.
        econnreset: (_error, request) => settle(request),
      },
    });
  }

  /** Always answers, unless the client has disconnected. */
  forward(gatewayRequest: GatewayRequest, response: ServerResponse): void {
    const { raw: request, traceparent } = gatewayRequest;
    const deadline = AbortSignal.timeout(this.config.WEB_TIMEOUT_MS);
    this.queue
      .run(clientNetwork(clientAddress(gatewayRequest)), async () => {
        if (response.destroyed) return;
        deadline.throwIfAborted();
        const forwarded = new ForwardedRequest(request, traceparent);
        await this.middleware(forwarded as unknown as IncomingMessage, response, (error) => {
          if (error) this.sendFailure(error, request, response);
          forwarded.settle();
        });
        await forwarded.settled;
      })
      .catch((error: unknown) => this.sendFailure(error, request, response));
  }

  onApplicationShutdown(): void {
    this.agent.destroy();
  }

  private replaceHeaders(answer: IncomingMessage, { shouldKeepAlive }: ServerResponse): void {
    for (const name of removedAnswerHeaders) delete answer.headers[name];
    for (const [name, value] of Object.entries(this.headers.asset)) {
      answer.headers[name.toLowerCase()] = value;
    }
    // Describes the client's connection, not the one to the web process.
    answer.headers.connection = shouldKeepAlive ? 'keep-alive' : 'close';
  }

  private sendFailure(error: unknown, { method, url }: IncomingMessage, response: ServerResponse): void {
    const isOverloaded = error instanceof DomainError && error.code === 'OVERLOADED';
    if (!isOverloaded)
      this.logger.warn({ err: error, path: url?.split('?')[0] }, 'Could not pass on a request for a file');
    sendPlainPage(isOverloaded ? 503 : 502, { response, headers: this.headers, withBody: method !== 'HEAD' });
  }
}

/** The request as it is sent on: without a body, with only the `forwardedHeaders` and this gateway's trace context. */
class ForwardedRequest extends Readable {
  readonly method: IncomingMessage['method'];
  readonly url: IncomingMessage['url'];
  readonly httpVersion: string;
  readonly socket: IncomingMessage['socket'];
  readonly headers: Record<string, string | undefined> = {};
  /** Call this when the exchange with the web process is over. */
  settle!: () => void;
  readonly settled = new Promise<void>((resolve) => (this.settle = resolve));

  constructor({ method, url, httpVersion, socket, headers }: IncomingMessage, traceparent?: string) {
    super();
    this.method = method;
    this.url = url;
    this.httpVersion = httpVersion;
    this.socket = socket;
    for (const name of forwardedHeaders) if (headers[name] !== undefined) this.headers[name] = headers[name];
    if (traceparent) this.headers.traceparent = traceparent;
  }

  override _read(): void {
    this.push(null);
  }
}

/** `http-proxy` passes to the event handlers the request that it was given, which is a `ForwardedRequest`. */
function settle(request: IncomingMessage): void {
  (request as unknown as ForwardedRequest).settle();
}
