/** The injection token of the site's `PaypalApiClient`. */
export const PAYPAL_API = Symbol('PayPal API');
