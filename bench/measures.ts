import { readFileSync } from 'node:fs';

/** A value below which this share (0 to 1) of the sorted values lies. NaN if there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

export interface RunningProcess {
  pid: number;
  parent: number;
  /** Usually the program's name, without path and arguments; at most 15 characters. */
  program: string;
  /** User and system time together, since the process started. */
  cpuMicroseconds: number;
}

/** Fields 2, 4, 14 and 15 of `/proc/<pid>/stat`: see proc(5). Times are in ticks of ten milliseconds. Throws if the process has ended. */
export function readProcess(pid: number): RunningProcess {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // `fields[0]` is field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const program = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const cpuMicroseconds = (Number(fields[11]) + Number(fields[12])) * 10_000;
  return { pid, parent: Number(fields[1]), program, cpuMicroseconds };
}
