import { runStandIn, setting } from '../shared/process.js';
import { openSimulator } from './server.js';

const clientId = setting('PAYPAL_CLIENT_ID');
const secret = setting('PAYPAL_CLIENT_SECRET');
const webhookId = setting('PAYPAL_WEBHOOK_ID');
const webhookUrl = setting('PAYPAL_WEBHOOK_URL');

await runStandIn({
  name: 'paypal',
  open: (warn) =>
    openSimulator({
      port: Number(setting('PAYPAL_SIMULATOR_PORT') ?? 0),
      host: setting('PAYPAL_SIMULATOR_HOST'),
      file: setting('PAYPAL_SIMULATOR_FILE'),
      publicUrl: setting('PAYPAL_SIMULATOR_URL'),
      pdtToken: setting('PAYPAL_PDT_TOKEN'),
      app:
        clientId && secret
          ? { clientId, secret, ...(webhookId && webhookUrl && { webhookId, webhookUrl }) }
          : undefined,
      webhookUrl,
      warn,
    }),
  greeting: ({ url }) => `Listens on ${url}`,
});
