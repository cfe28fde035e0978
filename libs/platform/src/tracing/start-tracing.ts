import { logTraceIds } from '../logger.js';

/** The settings of tracing, which every process has (`processSettings`). */
export interface TracingConfig {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_TRACES_SAMPLER_ARG?: number;
}

/**
 * Traces this process from now on, if the settings name a collector, and gives how to stop; undefined if they do not. Then nothing of
 * OpenTelemetry is even loaded.
 */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio = 1 }: TracingConfig,
): Promise<(() => Promise<void>) | undefined> {
  if (endpoint === undefined) return undefined;
  const [{ openTracing }, { tracing }] = await Promise.all([
    import('./open-tracing.js'),
    import('#libs/transport'),
  ]);
  const opened = openTracing({ service, endpoint, ratio });
  tracing.current = opened.tracing;
  logTraceIds(() => opened.tracing.traceId());
  return async () => {
    tracing.current = undefined;
    logTraceIds(() => undefined);
    await opened.close();
  };
}
