// The process of the stand-in for Google, which `npm start` runs if GOOGLE_CLIENT_ID is not set and the site has no public address.
import { runStandIn, setting } from '../shared/process.js';
import { openStandIn } from './server.js';

await runStandIn({
  name: 'google',
  open: () =>
    openStandIn({
      port: Number(setting('GOOGLE_STAND_IN_PORT') ?? 0),
      host: setting('GOOGLE_STAND_IN_HOST'),
      url: setting('GOOGLE_STAND_IN_URL'),
      client: {
        id: setting('GOOGLE_CLIENT_ID') ?? '',
        secret: setting('GOOGLE_CLIENT_SECRET') ?? '',
        redirectUris: [`${setting('GOOGLE_STAND_IN_SITE')}/auth/google/callback`],
      },
    }),
  greeting: ({ url }) => `Listens on ${url}`,
});
