// The simulator as a process of its own: what `npm start` runs when PAYPAL_MODE is simulator.
import { openSimulator } from './server.js';

const {
  PAYPAL_SIMULATOR_PORT: port,
  PAYPAL_SIMULATOR_HOST: host,
  PAYPAL_SIMULATOR_FILE: file,
  PAYPAL_PDT_TOKEN: pdtToken,
} = process.env;

/** In the form of the services' logs, so that the stack shows warnings and errors. */
const log = (level: 'info' | 'warn' | 'error', msg: string) =>
  console.log(JSON.stringify({ level, time: new Date().toISOString(), service: 'paypal', msg }));

const simulator = await openSimulator({
  port: Number(port ?? 0),
  ...(host && { host }),
  ...(file && { file }),
  ...(pdtToken && { pdtToken }),
  warn: (message) => log('warn', message),
});
log('info', `Listens on ${simulator.url}`);

let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  simulator.stop().then(
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
