import { readFileSync } from 'node:fs';
import type { Launch } from '../launcher.js';

export function serverPid(site: Launch, server: 'redis' | 'postgres'): number {
  const program = server === 'redis' ? /redis|valkey/ : /postgres/;
  const found = site.pids.filter((pid) => program.test(commandOf(pid).split('\0', 1)[0]!));
  if (found.length !== 1) throw new Error(`expected one ${server} process, found ${found.length}`);
  return found[0]!;
}

/** See proc(5); empty if there is no such process. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
