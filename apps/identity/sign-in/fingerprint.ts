import { createHash } from 'node:crypto';

/** What makes two requests with one id the same command for the inbox. Leave out secrets that could be guessed from it. */
export function fingerprintOf(command: string, subject: string): string {
  return createHash('sha256')
    .update(JSON.stringify([command, subject]))
    .digest('hex');
}
