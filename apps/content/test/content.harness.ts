import { contentChanged } from '#libs/contracts';
import { type RunningService, startService } from '#libs/platform';
import { type ServiceUrls, startServiceUnderTest } from '#libs/testing';
import { AppModule } from '../app.module.js';
import type { ContentConfig } from '../config.js';

/** Starts one replica of the content service, in this process. */
export function startReplicaOn(
  { databaseUrl, redisUrl }: ServiceUrls,
  seed: ContentConfig['SEED'],
): Promise<RunningService> {
  const config: ContentConfig = {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: 10,
    DATABASE_MIGRATIONS: 'run',
    REDIS_URL: redisUrl,
    HEALTH_PORT: 0,
    HEALTH_HOST: '127.0.0.1',
    // Failures that tests cause are not logged as errors, so every logged error is unexpected.
    LOG_LEVEL: 'error',
    OTEL_TRACES_SAMPLER_ARG: 1,
    SEED: seed,
  };
  return startService({ name: 'content', config, module: AppModule.forRoot(config) });
}

export function startContent({
  replicaCount = 1,
  seed = 'none',
}: { replicaCount?: number; seed?: ContentConfig['SEED'] } = {}) {
  return startServiceUnderTest({
    service: 'content',
    startReplica: (urls) => startReplicaOn(urls, seed),
    replicaCount,
    follows: [contentChanged],
  });
}

export type ContentUnderTest = Awaited<ReturnType<typeof startContent>>;
