export { default as lighthouse } from 'lighthouse';
export { default as desktopConfig } from 'lighthouse/core/config/desktop-config.js';
