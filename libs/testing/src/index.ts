export * from './database.js';
export * from './eventually.js';
export * from './redis.js';
export * from './service-process.js';
export * from './tcp-gate.js';
export * from './sample-body.js';
export * from './session.js';
