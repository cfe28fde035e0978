import { unreachable } from './api.js';

const notLoaded = () => Promise.resolve({ problem: unreachable });

/** Loads the code that asks for a passkey or makes one. If it cannot be loaded, asking and making end with a problem. */
export const loadPasskeys = () =>
  import('./passkeys.js').catch(() => ({ askPasskey: notLoaded, makePasskey: notLoaded }));
