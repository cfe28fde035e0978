import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Identifies a process, even if a later one gets the same id. */
export interface ProcessMark {
  pid: number;
  /** Its start time, in the operating system's format. */
  started: string;
}

/** The mark of a running process; undefined if no process has this id, or only a zombie. */
export function markOf(pid: number): ProcessMark | undefined {
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

export function isRunning(mark: ProcessMark): boolean {
  return markOf(mark.pid)?.started === mark.started;
}

/** Ends these processes with SIGTERM, and with SIGKILL after `graceMs` milliseconds. */
export async function endProcesses(marks: ProcessMark[], graceMs: number): Promise<void> {
  const send = (signal: NodeJS.Signals) => {
    for (const mark of marks.filter(isRunning)) {
      try {
        process.kill(mark.pid, signal);
      } catch {
        // The process has ended since the check.
      }
    }
  };
  send('SIGTERM');
  if (await allGone(marks, graceMs)) return;
  send('SIGKILL');
  await allGone(marks, 5_000);
}

async function allGone(marks: ProcessMark[], withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; marks.some(isRunning); await wait(25))
    if (Date.now() > end) return false;
  return true;
}
