import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Attributes,
  context,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  type SpanContext,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { Span, SpanOptions, Tracing } from '#libs/transport';

export interface OpenTelemetryOptions {
  service: string;
  /** Traces go to `/v1/traces` below it. */
  endpoint: string;
  /** What share of the traces that begin in this process is recorded, from 0 to 1. */
  ratio: number;
}

const kinds = { client: SpanKind.CLIENT, server: SpanKind.SERVER, consumer: SpanKind.CONSUMER };
/** How long (ms) sending a batch may take, including the last one when the process stops. */
const flushMs = 2_000;

/** Sends spans in batches, which are dropped if the collector does not answer. */
export function openTracing({ service, endpoint, ratio }: OpenTelemetryOptions): {
  tracing: Tracing;
  close(): Promise<void>;
} {
  const ids = new Ids();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.namespace': 'seo-services',
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    // The process that began the trace has decided for all others.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({
          url: `${endpoint}/v1/traces`,
          timeoutMillis: flushMs,
          httpAgentOptions: { keepAlive: true },
        }),
      ),
    ],
  });
  provider.register();
  const tracer = provider.getTracer('seo-services');

  const begin = ({ kind, name, parent, traceId, attributes }: SpanOptions): Span | undefined => {
    const parentContext = traceId === undefined ? contextOf(parent) : ROOT_CONTEXT;
    if (!parentContext) return undefined;
    ids.nextTraceId = traceId;
    const options = { kind: kinds[kind], attributes: attributes as Attributes };
    const span = tracer.startSpan(name, options, parentContext);
    return {
      traceparent: traceparentOf(span.spanContext()),
      run: (work) => context.with(trace.setSpan(parentContext, span), work),
      end: (failure, moreAttributes) => {
        if (moreAttributes) span.setAttributes(moreAttributes);
        if (failure !== undefined) {
          span.setAttribute('error.type', failure);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };
  return {
    tracing: { begin, traceId: () => trace.getActiveSpan()?.spanContext().traceId },
    close: async () => {
      // The exporter's own timeout does not cover looking up the collector's name, or connecting to it.
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        wait(flushMs, undefined, { ref: false }),
      ]);
    },
  };
}

/** The caller's context, or else the current one. Undefined if there is neither a caller's context nor a current span. */
function contextOf(parent: string | undefined): Context | undefined {
  const remote = parent === undefined ? undefined : readTraceparent(parent);
  if (remote) return trace.setSpanContext(ROOT_CONTEXT, remote);
  return trace.getActiveSpan() ? context.active() : undefined;
}

/** https://www.w3.org/TR/trace-context/#traceparent-header, version 00 */
function readTraceparent(text: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = '0'] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? [];
  const spanContext = { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(spanContext) ? spanContext : undefined;
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Random, except that the next trace can be given an id. */
class Ids implements IdGenerator {
  nextTraceId: string | undefined;

  generateTraceId(): string {
    const id = this.nextTraceId ?? randomBytes(16).toString('hex');
    this.nextTraceId = undefined;
    return id;
  }

  generateSpanId(): string {
    return randomBytes(8).toString('hex');
  }
}
