export * from './field.js';
export * from './schema.js';
export * from './section.js';
export * from './site.js';
export * from './sections/findable.js';
export * from './sections/frame.js';
export * from './sections/landing.js';
export * from './sections/offering.js';
