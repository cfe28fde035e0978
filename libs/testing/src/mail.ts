export * from '../../../dev/mail/client.js';
export type * from '../../../dev/mail/model.js';
