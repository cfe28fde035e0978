/** Which PayPal takes the money: the local stand-in, PayPal's own for tests, or the real one. */
export const paypalModes = ['simulator', 'sandbox', 'live'] as const;
export type PaypalMode = (typeof paypalModes)[number];

const hosts = {
  live: 'https://www.paypal.com',
  sandbox: 'https://www.sandbox.paypal.com',
};

/**
 * Where Pay Now's form goes. The orders service writes it into the form, and the gateway lets pages post there. Undefined for a
 * simulator without an address.
 */
export function paypalCheckout(mode: PaypalMode, simulatorUrl?: string): string | undefined {
  const host = mode === 'simulator' ? simulatorUrl?.replace(/(?<!\/)\/+$/, '') : hosts[mode];
  return host === undefined ? undefined : `${host}/cgi-bin/webscr`;
}
