export * from './config.js';
export * from './health-server.js';
export * from './logger.js';
export * from './metrics.js';
export * from './nest-logger.js';
export * from './service.js';
export * from './settings.js';
export * from './shutdown.js';
