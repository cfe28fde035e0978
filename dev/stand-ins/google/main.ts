// The process of the stand-in for Google. `npm start` runs it unless the site uses a real Google client or has a public address.
// GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be those of the site. `npm start` and the Compose file set both.
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
