import { unreachable } from './api.js';

const notLoaded = () => Promise.resolve({ problem: unreachable });

/** If the code cannot be loaded, `askPasskey` and `makePasskey` return a problem. */
export const loadPasskeyCode = () =>
  import('./passkeys.js').catch(() => ({ askPasskey: notLoaded, makePasskey: notLoaded }));
