// The stand-in for Google as a process of its own: what `npm start` runs while GOOGLE_CLIENT_ID is not set.
import { openStandIn } from './server.js';

const env = process.env;

/** In the form of the services' logs, so that the stack shows warnings and errors. */
const log = (level: 'info' | 'error', msg: string) =>
  console.log(JSON.stringify({ level, time: new Date().toISOString(), service: 'google', msg }));

const google = await openStandIn({
  port: Number(env.GOOGLE_STAND_IN_PORT ?? 0),
  client: {
    id: env.GOOGLE_CLIENT_ID ?? '',
    secret: env.GOOGLE_CLIENT_SECRET ?? '',
    redirectUris: [`${env.GOOGLE_STAND_IN_SITE}/auth/google/callback`],
  },
});
log('info', `Listens on ${google.url}`);

let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  google.stop().then(
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
