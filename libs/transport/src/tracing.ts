/** What a span records. No personal data and no secrets: traces are sent to another system. */
export interface SpanFacts {
  kind: 'client' | 'server' | 'consumer';
  /** Of low cardinality: a route, a pattern, the kind of SQL statement. */
  name: string;
  /** W3C trace context of the caller, whose span becomes the parent. Default: the current span is the parent. */
  parent?: string;
  /** Begins a new trace with this id (32 hexadecimal digits), without a parent. */
  traceId?: string;
  attributes?: Record<string, string | number>;
}

export interface Span {
  /** W3C trace context, to pass on. */
  readonly traceparent: string;
  /** Spans that begin inside `work` are children of this span. */
  run<T>(work: () => T): T;
  /** `failure` is a code or the name of an error's class, never a message: messages may contain people's names. */
  end(failure?: string, attributes?: Record<string, string | number>): void;
}

/** Creates spans. `libs/platform` has an implementation for OpenTelemetry. */
export interface Tracing {
  /** Undefined if there is no parent, trace id or current span: polls and sweeps are not traced. */
  begin(facts: SpanFacts): Span | undefined;
  /** The id of the current trace; undefined outside a span. */
  traceId(): string | undefined;
}

/** `current` is undefined in a process that does not trace, so that `inSpan` costs no more than one check. */
export const tracing: { current?: Tracing } = {};

/** Runs `work` in a span, if anything is recorded, and passes it the trace context. */
export async function inSpan<T>(
  facts: SpanFacts,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  const span = tracing.current?.begin(facts);
  if (!span) return work(facts.parent);
  try {
    const result = await span.run(() => work(span.traceparent));
    span.end();
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
}

/** The trace id in a W3C trace context. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.split('-')[1];
}

/** What a trace may contain about an error: its code or the name of its class, never the message. */
export function failureOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
}
