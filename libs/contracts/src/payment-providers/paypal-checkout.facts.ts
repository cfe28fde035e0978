import { paypalFacts } from './paypal.facts.js';

/** PayPal Checkout: the REST API "Orders v2" with webhooks. See `PaymentProviderFacts`. */
export const paypalCheckoutFacts = {
  name: 'paypal-checkout',
  label: paypalFacts.label,
  settingsPrefix: paypalFacts.settingsPrefix,
  checkoutOrigins: paypalFacts.checkoutOrigins,
  receiverScreen: paypalFacts.receiverScreen,
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

/** The app that the simulator of PayPal always has, so that plans that renew can be tried without credentials. */
export const simulatedApp = {
  clientId: 'simulated-app',
  clientSecret: 'simulated-secret',
  webhookId: 'SIMULATEDWEBHOOK1',
} as const;
