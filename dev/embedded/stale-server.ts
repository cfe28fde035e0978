import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Stops the server that a killed run left running. `pidFile` begins with its process id. Another process may have this id by now, so the command line
 * must contain `mark`. Deletes `pidFile` if there was nothing to stop; a server that stops on SIGINT deletes it itself.
 */
export async function stopStaleServer(pidFile: string, mark: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  if (await stopProcess(pid, mark)) return;
  rmSync(pidFile, { force: true });
}

/** Sends SIGINT, and SIGKILL after three seconds. Returns whether the process had `mark` in its command line. */
async function stopProcess(pid: number, mark: string): Promise<boolean> {
  if (!commandLine(pid).includes(mark)) return false;
  sendSignal(pid, 'SIGINT');
  for (let waited = 0; waited < 3000; waited += 20) {
    await wait(20);
    if (!commandLine(pid).includes(mark)) return true;
  }
  sendSignal(pid, 'SIGKILL');
  while (commandLine(pid).includes(mark)) await wait(20);
  return true;
}

/** The program and its arguments, with spaces between them; empty if there is no such process. */
function commandLine(pid: number): string {
  if (!Number.isInteger(pid) || pid <= 1) return '';
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended since the check.
  }
}
