import { aboutEditShell } from './pages.js';
import { accountShells, adminShells, openScreens } from './screen-paths.js';

// In a file of its own and not in `pages.ts`, which the browser loads: bundlers do not remove unused arrays with spread elements.
export const privateShells = [...accountShells, ...adminShells] as const;
export const shellPaths = [...openScreens, ...privateShells, aboutEditShell] as const;
