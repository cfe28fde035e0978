export * from './content.operations.js';
export { groupDescriptions } from './groups.js';
export * from './operations.js';
