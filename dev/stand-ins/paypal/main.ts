// The process of the PayPal simulator, which `npm start` runs if PAYPAL_MODE is simulator.
import { runStandIn } from '../shared/process.js';
import { openSimulator } from './server.js';

const {
  PAYPAL_SIMULATOR_PORT: port,
  PAYPAL_SIMULATOR_HOST: host,
  PAYPAL_SIMULATOR_FILE: file,
  PAYPAL_PDT_TOKEN: pdtToken,
} = process.env;

await runStandIn({
  name: 'paypal',
  open: (warn) =>
    openSimulator({
      port: Number(port ?? 0),
      ...(host && { host }),
      ...(file && { file }),
      ...(pdtToken && { pdtToken }),
      warn,
    }),
  greeting: ({ url }) => `Listens on ${url}`,
});
