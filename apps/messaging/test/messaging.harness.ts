import { messageReceived } from '#libs/contracts';
import { startService } from '#libs/platform';
import { startServiceUnderTest } from '#libs/testing';
import { AppModule } from '../app.module.js';
import { messagingSettings } from '../config.js';

/** Starts two replicas. */
export function startMessaging() {
  return startServiceUnderTest<typeof messageReceived>({
    service: 'messaging',
    startReplica: ({ databaseUrl, redisUrl }) => {
      const config = messagingSettings.parse({
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        HEALTH_PORT: '0',
        HEALTH_HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
        PUBLIC_URL: 'http://localhost:3000',
      });
      return startService({ name: 'messaging', config, module: AppModule.forRoot(config) });
    },
    replicaCount: 2,
    follows: [messageReceived],
  });
}

export type MessagingUnderTest = Awaited<ReturnType<typeof startMessaging>>;
