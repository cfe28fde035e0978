// The process of the mail catcher, which `npm start` runs if SMTP_URL is not set.
import { runStandIn, setting } from '../shared/process.js';
import { openCatcher } from './server.js';

await runStandIn({
  name: 'mail',
  open: (warn) =>
    openCatcher({
      host: setting('MAIL_CATCHER_HOST'),
      port: Number(setting('MAIL_CATCHER_PORT') ?? 0),
      smtpPort: Number(setting('MAIL_CATCHER_SMTP_PORT') ?? 0),
      folder: setting('MAIL_CATCHER_FOLDER'),
      warn,
    }),
  greeting: ({ smtpUrl, url }) => `Catches mail at ${smtpUrl}, shows it at ${url}`,
});
