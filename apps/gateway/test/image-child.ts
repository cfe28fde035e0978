import { fileURLToPath } from 'node:url';

/** What processes pictures, from its sources. */
export const imageChild = {
  program: fileURLToPath(new URL('../images/image-child.ts', import.meta.url)),
  execArgv: ['--import', fileURLToPath(new URL('../../../dev/tools/register-swc.mjs', import.meta.url))],
};
