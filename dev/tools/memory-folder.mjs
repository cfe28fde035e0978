import { existsSync, readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/**
 * Puts temporary files of this process and its children in memory, if there is enough. The test databases write gigabytes, and specs run into time
 * limits on a slow disk.
 */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR || !existsSync(folder)) return;
  const { bavail, bsize } = statfsSync(folder);
  // Postgres runs from a copy of its programs there.
  const isExecutable = !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync('/proc/mounts', 'utf8'));
  if (isExecutable && bavail * bsize >= neededBytes) process.env.TMPDIR = folder;
}
