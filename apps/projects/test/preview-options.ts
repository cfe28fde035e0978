import { fileURLToPath } from 'node:url';

/** Makes previews with the sources. */
export const previewOptions = {
  program: fileURLToPath(new URL('../file/preview-child.ts', import.meta.url)),
  execArgv: ['--import', fileURLToPath(new URL('../../../dev/tools/register-swc.mjs', import.meta.url))],
};
