import { fileURLToPath } from 'node:url';

/** Processes pictures with the sources. */
export const imageChild = {
  program: fileURLToPath(new URL('../images/image-child.ts', import.meta.url)),
  execArgv: ['--import', fileURLToPath(new URL('../../../dev/tools/register-swc.mjs', import.meta.url))],
};
