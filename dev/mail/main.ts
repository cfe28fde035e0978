// The catcher as a process of its own: what `npm start` runs when SMTP_URL is not set.
import { openCatcher } from './server.js';

const {
  MAIL_CATCHER_PORT: port,
  MAIL_CATCHER_SMTP_PORT: smtpPort,
  MAIL_CATCHER_FOLDER: folder,
} = process.env;

/** In the form of the services' logs, so that the stack shows warnings and errors. */
const log = (level: 'info' | 'warn' | 'error', msg: string) =>
  console.log(JSON.stringify({ level, time: new Date().toISOString(), service: 'mail', msg }));

const catcher = await openCatcher({
  port: Number(port ?? 0),
  smtpPort: Number(smtpPort ?? 0),
  ...(folder && { folder }),
  warn: (message) => log('warn', message),
});
log('info', `Catches mail at ${catcher.smtpUrl}, shows it at ${catcher.url}`);

let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  catcher.stop().then(
    () => process.exit(0),
    (error: Error) => {
      log('error', error.message);
      process.exit(1);
    },
  );
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
// A supervisor that was killed must leave no process behind.
if (process.connected) process.once('disconnect', stop);
