import { sha256 } from '#libs/database';

/**
 * Two requests with the same id and fingerprint are the same command for the inbox. Leave out passwords and codes, which could be guessed from a
 * fingerprint.
 */
export const fingerprintOf = (command: string, subject: string): string =>
  sha256(JSON.stringify([command, subject])).toString('hex');
