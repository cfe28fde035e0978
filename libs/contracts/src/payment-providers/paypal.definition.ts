/** PayPal Payments Standard. */
export const paypalDefinition = {
  name: 'paypal',
  label: 'PayPal',
  settingsPrefix: 'PAYPAL',
  checkoutOrigins: { sandbox: 'https://www.sandbox.paypal.com', live: 'https://www.paypal.com' },
  receiverScreen: '/add-paypal-Email',
  notificationCall: {
    at: 'POST /paypal/ipn',
    id: 'receivePaypalNotice',
    summary: 'Receive a payment notification (IPN) from PayPal, which repeats it until the answer is 200',
    headers: [],
  },
} as const;
