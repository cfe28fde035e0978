export * from '../../../dev/paypal/client.js';
export type * from '../../../dev/paypal/model.js';
