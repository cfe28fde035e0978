export * from './actor.js';
export * from './broadcast.js';
export * from './content.contract.js';
export * from './contract.js';
export * from './errors.js';
export * from './identity.contract.js';
export * from './pages.js';
export * from './validation.js';
