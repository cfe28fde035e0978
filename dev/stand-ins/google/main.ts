// The process of the stand-in for Google, which `npm start` runs if GOOGLE_CLIENT_ID is not set.
import { runStandIn } from '../shared/process.js';
import { openStandIn } from './server.js';

const env = process.env;

await runStandIn({
  name: 'google',
  open: () =>
    openStandIn({
      port: Number(env.GOOGLE_STAND_IN_PORT ?? 0),
      ...(env.GOOGLE_STAND_IN_HOST && { host: env.GOOGLE_STAND_IN_HOST }),
      ...(env.GOOGLE_STAND_IN_URL && { url: env.GOOGLE_STAND_IN_URL }),
      client: {
        id: env.GOOGLE_CLIENT_ID ?? '',
        secret: env.GOOGLE_CLIENT_SECRET ?? '',
        redirectUris: [`${env.GOOGLE_STAND_IN_SITE}/auth/google/callback`],
      },
    }),
  greeting: ({ url }) => `Listens on ${url}`,
});
