import { existsSync, readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/**
 * Puts the temporary files of this process and its children in memory, if the machine has enough: the test databases alone write gigabytes, and
 * specs run into time limits while they wait for a slow disk.
 */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR || !existsSync(folder)) return;
  const { bavail, bsize } = statfsSync(folder);
  // Postgres runs from a copy of its programs there.
  const isExecutable = !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync('/proc/mounts', 'utf8'));
  if (isExecutable && bavail * bsize >= neededBytes) process.env.TMPDIR = folder;
}
