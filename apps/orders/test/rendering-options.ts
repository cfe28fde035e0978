import { fileURLToPath } from 'node:url';

/** Renders documents with the sources. */
export const renderingOptions = {
  program: fileURLToPath(new URL('../invoice-file/invoice-renderer.ts', import.meta.url)),
  execArgv: ['--import', fileURLToPath(new URL('../../../dev/tools/register-swc.mjs', import.meta.url))],
};
