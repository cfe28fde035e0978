// GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be those of the site.
import { runStandIn, setting } from '../shared/process.js';
import { openGoogleStandIn } from './server.js';

await runStandIn({
  name: 'google',
  open: () =>
    openGoogleStandIn({
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
