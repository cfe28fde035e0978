import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Distinguishes a process from a later one with the same id. */
export interface ProcessIdentity {
  pid: number;
  /** The start time, in the operating system's format. */
  started: string;
}

/** Undefined if no running process has this id. On Linux, a zombie does not count. */
export function processIdentity(pid: number): ProcessIdentity | undefined {
  try {
    if (process.platform === 'linux') {
      // proc(5): the name in parentheses may hold anything; state is field 3, start time field 22.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : { pid, started: fields[19]! };
    }
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return started ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

export function isRunning({ pid, started }: ProcessIdentity): boolean {
  return processIdentity(pid)?.started === started;
}

/** Sends SIGTERM, and SIGKILL after `graceMs` milliseconds. */
export async function endProcesses(processes: ProcessIdentity[], graceMs: number): Promise<void> {
  const send = (signal: NodeJS.Signals) => {
    for (const { pid } of processes.filter(isRunning)) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has ended since the check.
      }
    }
  };
  send('SIGTERM');
  if (await waitUntilGone(processes, graceMs)) return;
  send('SIGKILL');
  await waitUntilGone(processes, 5_000);
}

async function waitUntilGone(processes: ProcessIdentity[], withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; processes.some(isRunning); await wait(25))
    if (Date.now() > end) return false;
  return true;
}
