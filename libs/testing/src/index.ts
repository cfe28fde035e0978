export * from './database.js';
export * from './eventually.js';
export * from './redis.js';
export * from './tcp-gate.js';
