export * from './configured-storage.js';
export * from './folder-storage.js';
export * from './file-storage.js';
export * from './s3-storage.js';
