import { afterEach, describe, expect, test } from '@jest/globals';
import { PayPalSimulator } from '../client.js';
import { simulatedApp } from '#libs/contracts';
import { orderBody, RestClient } from './test/rest-client.js';

const webhookUrl = 'http://localhost:3000/paypal/webhook';
const own = { clientId: 'own', secret: 'own-secret', webhookId: 'OWNWEBHOOK', webhookUrl };

describe('the apps that exist from the start', () => {
  let paypal: PayPalSimulator;
  afterEach(() => paypal.stop());
  const clientOf = ({ clientId, secret }: { clientId: string; secret: string }) =>
    new RestClient(paypal.url, { clientId, secret });
  const simulated = () => clientOf({ clientId: simulatedApp.clientId, secret: simulatedApp.clientSecret });
  const webhooksOf = async (client: RestClient) =>
    (await client.get('/v1/notifications/webhooks')).body.webhooks;

  test('include the simulated app, with its webhook at the address of the site', async () => {
    paypal = await PayPalSimulator.start({ webhookUrl });
    expect(await webhooksOf(simulated())).toMatchObject([{ id: simulatedApp.webhookId, url: webhookUrl }]);
  });

  test('share a merchant with the app that the environment configures, which gets the webhook address instead', async () => {
    paypal = await PayPalSimulator.start({ webhookUrl, app: own });
    expect(await webhooksOf(simulated())).toEqual([]);
    expect(await webhooksOf(clientOf(own))).toMatchObject([{ id: own.webhookId, url: webhookUrl }]);
    const { body } = await simulated().post('/v2/checkout/orders', { body: orderBody(), requestId: 'one' });
    expect((await clientOf(own).get(`/v2/checkout/orders/${body.id}`)).status).toBe(200);
  });

  test('have the id of a webhook only if they have its address', async () => {
    paypal = await PayPalSimulator.start();
    expect(await paypal.app({ clientId: 'without' })).not.toHaveProperty('webhookId');
    expect(await paypal.app({ clientId: 'without', webhookId: 'UNUSED' })).not.toHaveProperty('webhookId');
    const withWebhook = await paypal.app({ clientId: 'with', webhookUrl });
    expect(await webhooksOf(clientOf(withWebhook))).toMatchObject([{ id: withWebhook.webhookId }]);
    expect(await paypal.app({ clientId: 'with' })).toEqual(withWebhook);
  });

  test('lose the webhook address to the app that asks for it last', async () => {
    paypal = await PayPalSimulator.start({ webhookUrl });
    const { email } = await paypal.app({ clientId: simulatedApp.clientId });
    await paypal.app({ ...own, email });
    expect(await webhooksOf(simulated())).toEqual([]);
    expect(await webhooksOf(clientOf(own))).toMatchObject([{ id: own.webhookId }]);
  });
});
