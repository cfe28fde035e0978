import type { inSpan } from '#libs/transport';
import { logTraceIds } from '../logger.js';

/** The settings of tracing, which every process has (`processSettings`). */
export interface TracingConfig {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_TRACES_SAMPLER_ARG?: number;
}

export type InSpan = typeof inSpan;

/** For who knows nothing of the transport. */
export interface RunningTraces {
  readonly inSpan: InSpan;
  /** Hands over what there is, and traces no more. */
  stop(): Promise<void>;
}

/** Traces this process from now on, if the settings name a collector; if they do not, nothing of OpenTelemetry is even loaded. */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio = 1 }: TracingConfig,
): Promise<RunningTraces | undefined> {
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
