import type { PaypalMode } from '#libs/contracts';
import { paypalCheckout } from '#libs/contracts';

/** Where PayPal is asked. From configuration alone: nothing in a notice chooses whom to believe. */
export interface PaypalEndpoints {
  mode: PaypalMode;
  /** Takes the buyer's form. */
  checkout: string;
  /** Takes notices back (https://developer.paypal.com/api/nvp-soap/ipn/IPNImplementation/). */
  verify: string;
  /** Answers `_notify-synch` (payment data transfer). */
  lookUp: string;
}

const verifyHosts = {
  live: 'https://ipnpb.paypal.com/cgi-bin/webscr',
  sandbox: 'https://ipnpb.sandbox.paypal.com/cgi-bin/webscr',
};

/** `simulatorUrl` is needed in simulator mode, and looked at in no other. */
export function paypalEndpoints(mode: PaypalMode, simulatorUrl?: string): PaypalEndpoints {
  const checkout = paypalCheckout(mode, simulatorUrl);
  if (checkout === undefined) throw new Error('The simulator has no address');
  return { mode, checkout, verify: mode === 'simulator' ? checkout : verifyHosts[mode], lookUp: checkout };
}
