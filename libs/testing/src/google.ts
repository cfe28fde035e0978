export * from '../../../dev/google/client.js';
export type * from '../../../dev/google/model.js';
