import { chmodSync, cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The copy is readable and runnable for every user, whatever the umask and the original modes. */
export function copyForOtherUsers(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  const copied = readdirSync(to, { recursive: true, withFileTypes: true });
  const paths = copied
    .filter((entry) => !entry.isSymbolicLink())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const path of [to, ...paths]) {
    const { mode } = statSync(path);
    // Like `chmod go+rX`: folders can be entered, and what the owner can run, others can run too.
    chmodSync(path, mode | (mode & 0o100 ? 0o055 : 0o044));
  }
}
