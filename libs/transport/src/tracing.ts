/** What a span says. No personal data and no secrets: traces go to another system. */
export interface SpanFacts {
  kind: 'client' | 'server' | 'consumer';
  /** Of few values: a route, a pattern, a kind of statement. */
  name: string;
  /** W3C trace context of what asked for this. Without it the span that is open around this is the parent. */
  parent?: string;
  /** Begins a trace with this id (32 hexadecimal digits) instead. */
  traceId?: string;
  attributes?: Record<string, string | number>;
}

export interface Span {
  /** W3C trace context, to be handed on. */
  readonly traceparent: string;
  /** What begins inside of `work` belongs to this span. */
  run<T>(work: () => T): T;
  /** `failure` is a code, never a message: messages may name people. */
  end(failure?: string, attributes?: Record<string, string | number>): void;
}

/** Records where time goes. `libs/platform` has one for OpenTelemetry. */
export interface Tracing {
  /** Undefined for what belongs to nobody's request: polls and sweeps are not traced. */
  begin(facts: SpanFacts): Span | undefined;
  /** Of the span that is open here. */
  traceId(): string | undefined;
}

/** The process's own, if it traces. Whoever begins spans looks here each time: without one that is all it costs. */
export const tracing: { current?: Tracing } = {};

/** Runs `work` in a span, if there is anything to record, and gives it the trace context to hand on. */
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

/** The id in a W3C trace context. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.split('-')[1];
}

/** What of an error may be told elsewhere: its code, or its kind. */
export function failureOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
}
