import { runStandIn, setting } from '../shared/process.js';
import type { ReplySite } from './replies.js';
import { openCatcher } from './server.js';

await runStandIn({
  name: 'mail',
  open: (warn) =>
    openCatcher({
      host: setting('MAIL_CATCHER_HOST'),
      port: Number(setting('MAIL_CATCHER_PORT') ?? 0),
      smtpPort: Number(setting('MAIL_CATCHER_SMTP_PORT') ?? 0),
      folder: setting('MAIL_CATCHER_FOLDER'),
      replySite: readReplySite(),
      warn,
    }),
  greeting: ({ smtpUrl, url }) => `Catches mail at ${smtpUrl}, shows it at ${url}`,
});

function readReplySite(): ReplySite | undefined {
  const [siteUrl, secret] = [setting('MAIL_CATCHER_SITE_URL'), setting('MAIL_CATCHER_REPLY_SECRET')];
  return siteUrl && secret ? { siteUrl, secret } : undefined;
}
