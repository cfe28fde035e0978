import { readFileSync } from 'node:fs';
import type { Launch } from '../launcher.js';

/** The process of the site's Redis or Postgres, which no file names: found among what the site has started. */
export function serverPid(site: Launch, server: 'redis' | 'postgres'): number {
  const program = server === 'redis' ? /redis|valkey/ : /postgres/;
  const found = site.pids.filter((pid) => program.test(commandOf(pid).split('\0', 1)[0]!));
  if (found.length !== 1) throw new Error(`${found.length} processes of the site are ${server}`);
  return found[0]!;
}

/** proc(5): the words of its command line, each ended by a NUL; empty when there is no such process. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
