import { sha256 } from '#libs/database';

/** Lets the inbox notice that a request id is used again for another command. Leave out passwords and codes, which could be guessed from it. */
export const fingerprintOf = (command: string, subject: string): string =>
  sha256(JSON.stringify([command, subject])).toString('hex');
