import { afterEach, describe, expect, test } from '@jest/globals';
import { PayPalSimulator } from '../client.js';
import { simulatedApp } from '#libs/contracts';
import { orderBody, RestClient } from './test/rest-client.js';

const webhookUrl = 'http://localhost:3000/paypal/webhook';
const ownApp = { clientId: 'own', secret: 'own-secret', webhookId: 'OWNWEBHOOK', webhookUrl };

describe('apps', () => {
  let paypal: PayPalSimulator;
  afterEach(() => paypal.stop());
  const clientOf = ({ clientId, secret }: { clientId: string; secret: string }) =>
    new RestClient(paypal.url, { clientId, secret });
  const simulatedClient = () =>
    clientOf({ clientId: simulatedApp.clientId, secret: simulatedApp.clientSecret });
  const webhooksOf = async (client: RestClient) =>
    (await client.get('/v1/notifications/webhooks')).body.webhooks;

  test('include the simulated app from the start, with its webhook at the address of the site', async () => {
    paypal = await PayPalSimulator.start({ webhookUrl });
    expect(await webhooksOf(simulatedClient())).toMatchObject([
      { id: simulatedApp.webhookId, url: webhookUrl },
    ]);
  });

  test('include the configured app, which shares the simulated app’s merchant and gets the webhook instead', async () => {
    paypal = await PayPalSimulator.start({ webhookUrl, app: ownApp });
    expect(await webhooksOf(simulatedClient())).toEqual([]);
    expect(await webhooksOf(clientOf(ownApp))).toMatchObject([{ id: ownApp.webhookId, url: webhookUrl }]);
    const { body } = await simulatedClient().post('/v2/checkout/orders', {
      body: orderBody(),
      requestId: 'one',
    });
    expect((await clientOf(ownApp).get(`/v2/checkout/orders/${body.id}`)).status).toBe(200);
  });

  test('have the id of a webhook only if an address for it was given', async () => {
    paypal = await PayPalSimulator.start();
    expect(await paypal.setUpApp({ clientId: 'without' })).not.toHaveProperty('webhookId');
    expect(await paypal.setUpApp({ clientId: 'without', webhookId: 'UNUSED' })).not.toHaveProperty(
      'webhookId',
    );
    const withWebhook = await paypal.setUpApp({ clientId: 'with', webhookUrl });
    expect(await webhooksOf(clientOf(withWebhook))).toMatchObject([{ id: withWebhook.webhookId }]);
    expect(await paypal.setUpApp({ clientId: 'with' })).toEqual(withWebhook);
  });

  test('cannot have the id of another merchant’s webhook', async () => {
    paypal = await PayPalSimulator.start({ webhookUrl });
    await expect(
      paypal.setUpApp({ clientId: 'another', webhookId: simulatedApp.webhookId }),
    ).rejects.toMatchObject({ status: 409, field: 'webhookId' });
    expect(await webhooksOf(simulatedClient())).toMatchObject([{ id: simulatedApp.webhookId }]);
  });

  test('lose the webhook address to another app of the same merchant that asks for it later', async () => {
    paypal = await PayPalSimulator.start({ webhookUrl });
    const { email } = await paypal.setUpApp({ clientId: simulatedApp.clientId });
    await paypal.setUpApp({ clientId: 'another', email: 'another@example.com', webhookUrl });
    expect(await webhooksOf(simulatedClient())).toMatchObject([{ id: simulatedApp.webhookId }]);
    await paypal.setUpApp({ ...ownApp, email });
    expect(await webhooksOf(simulatedClient())).toEqual([]);
    expect(await webhooksOf(clientOf(ownApp))).toMatchObject([{ id: ownApp.webhookId }]);
  });
});
