/** No personal data and no secrets: traces are sent to another system. */
export interface SpanOptions {
  kind: 'client' | 'server' | 'consumer';
  /** Must have a low cardinality: a route, a pattern, the kind of SQL statement. */
  name: string;
  /** W3C trace context of the caller. Default: the current span is the parent. */
  parent?: string;
  /** 32 hexadecimal digits. Begins a new trace, without a parent. */
  traceId?: string;
  attributes?: Record<string, string | number>;
}

export interface Span {
  readonly traceparent: string;
  run<T>(work: () => T): T;
  /** `failure` is a code or the name of an error's class, never a message, which may contain people's names. */
  end(failure?: string, attributes?: Record<string, string | number>): void;
}

export interface Tracing {
  /** Undefined if there is no parent, trace id or current span: polls and sweeps are not traced. */
  begin(options: SpanOptions): Span | undefined;
  traceId(): string | undefined;
}

/** `current` is undefined in a process that does not trace. */
export const tracing: { current?: Tracing } = {};

/** Runs `work` in a span, and passes `work` its trace context. Without a span, passes `options.parent` instead. */
export async function inSpan<T>(
  options: SpanOptions,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  const span = tracing.current?.begin(options);
  if (!span) return work(options.parent);
  try {
    const result = await span.run(() => work(span.traceparent));
    span.end();
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
}

export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.split('-')[1];
}

/** The error's code or the name of its class, never the message. */
export function failureOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
}
