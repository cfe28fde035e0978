// The process of the mail catcher, which `npm start` runs if SMTP_URL is not set.
import { runStandIn } from '../shared/process.js';
import { openCatcher } from './server.js';

const {
  MAIL_CATCHER_HOST: host,
  MAIL_CATCHER_PORT: port,
  MAIL_CATCHER_SMTP_PORT: smtpPort,
  MAIL_CATCHER_FOLDER: folder,
} = process.env;

await runStandIn({
  name: 'mail',
  open: (warn) =>
    openCatcher({
      port: Number(port ?? 0),
      smtpPort: Number(smtpPort ?? 0),
      ...(folder && { folder }),
      ...(host && { host }),
      warn,
    }),
  greeting: ({ smtpUrl, url }) => `Catches mail at ${smtpUrl}, shows it at ${url}`,
});
