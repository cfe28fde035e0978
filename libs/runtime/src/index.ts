export * from './clock.js';
export * from './cut-text.js';
export * from './periodic-task.js';
export * from './utc-day.js';
export * from './within.js';
