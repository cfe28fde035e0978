import { sha256 } from '#libs/database';

/** With it, the inbox notices a request id that is used for another command. Leave out passwords and codes, which could be guessed from it. */
export const fingerprintOf = (command: string, subject: string): string =>
  sha256(JSON.stringify([command, subject])).toString('hex');
