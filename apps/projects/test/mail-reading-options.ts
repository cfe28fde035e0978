import { fileURLToPath } from 'node:url';

/** Reads mails with the sources. */
export const mailReadingOptions = {
  program: fileURLToPath(new URL('../inbound-mail/mail-reader.ts', import.meta.url)),
  execArgv: ['--import', fileURLToPath(new URL('../../../dev/tools/register-swc.mjs', import.meta.url))],
};
