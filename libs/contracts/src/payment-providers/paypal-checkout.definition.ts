import { paypalDefinition } from './paypal.definition.js';

/** The REST API "Orders v2" with webhooks. */
export const paypalCheckoutDefinition = {
  name: 'paypal-checkout',
  label: paypalDefinition.label,
  settingsPrefix: paypalDefinition.settingsPrefix,
  checkoutOrigins: paypalDefinition.checkoutOrigins,
  receiverScreen: paypalDefinition.receiverScreen,
  notificationCall: {
    at: 'POST /paypal/webhook',
    id: 'receivePaypalWebhook',
    summary: 'Receive a webhook from PayPal, which repeats it until the answer is 2xx',
    headers: [
      'paypal-auth-algo',
      'paypal-cert-url',
      'paypal-transmission-id',
      'paypal-transmission-sig',
      'paypal-transmission-time',
    ],
  },
} as const;

/** The simulator always has this app, so that plans can be tried without credentials. */
export const simulatedApp = {
  clientId: 'simulated-app',
  clientSecret: 'simulated-secret',
  webhookId: 'SIMULATEDWEBHOOK1',
} as const;
