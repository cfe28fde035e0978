import type { inSpan } from '#libs/transport';
import { logTraceIds } from '../logger.js';

export interface TracingConfig {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_TRACES_SAMPLER_ARG?: number;
}

export type InSpan = typeof inSpan;

export interface RunningTracing {
  /** For `web/server`, which must not import `#libs/transport`. */
  readonly inSpan: InSpan;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

/** Without a collector in the settings, OpenTelemetry is not loaded. */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio = 1 }: TracingConfig,
): Promise<RunningTracing | undefined> {
  if (endpoint === undefined) return undefined;
  const [{ openTracing }, { inSpan, tracing }] = await Promise.all([
    import('./open-tracing.js'),
    import('#libs/transport'),
  ]);
  const opened = openTracing({ service, endpoint, ratio });
  tracing.current = opened.tracing;
  logTraceIds(() => opened.tracing.traceId());
  return {
    inSpan,
    stop: async () => {
      tracing.current = undefined;
      logTraceIds(() => undefined);
      await opened.close();
    },
  };
}
