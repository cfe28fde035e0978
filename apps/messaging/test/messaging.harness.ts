import { messageReceived } from '#libs/contracts';
import { type RunningService, startService } from '#libs/platform';
import { startServiceUnderTest } from '#libs/testing';
import { AppModule } from '../app.module.js';
import { messagingSettings } from '../config.js';

/** Starts two replicas of the messaging service. */
export async function startMessaging() {
  const replicas: RunningService[] = [];
  const messaging = await startServiceUnderTest<typeof messageReceived>({
    service: 'messaging',
    startReplica: async ({ databaseUrl, redisUrl }) => {
      const config = messagingSettings.parse({
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        HEALTH_PORT: '0',
        HEALTH_HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
        PUBLIC_URL: 'http://localhost:3000',
      });
      const replica = await startService({ name: 'messaging', config, module: AppModule.forRoot(config) });
      replicas.push(replica);
      return replica;
    },
    replicas: 2,
    follows: [messageReceived],
  });
  return { ...messaging, replicas };
}

export type MessagingUnderTest = Awaited<ReturnType<typeof startMessaging>>;
