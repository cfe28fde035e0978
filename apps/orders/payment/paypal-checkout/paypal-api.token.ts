/** Nest's injection token for the site's `PaypalApiClient`. */
export const PAYPAL_API = Symbol('PayPal API');
