// The process of the PayPal simulator, which `npm start` runs if PAYPAL_MODE is simulator.
import { runStandIn, setting } from '../shared/process.js';
import { openSimulator } from './server.js';

await runStandIn({
  name: 'paypal',
  open: (warn) =>
    openSimulator({
      port: Number(setting('PAYPAL_SIMULATOR_PORT') ?? 0),
      host: setting('PAYPAL_SIMULATOR_HOST'),
      file: setting('PAYPAL_SIMULATOR_FILE'),
      pdtToken: setting('PAYPAL_PDT_TOKEN'),
      warn,
    }),
  greeting: ({ url }) => `Listens on ${url}`,
});
