import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface AuditedPage {
  path: string;
  formFactor: 'mobile' | 'desktop';
  /** From 0 to 100, by category. */
  scores: Record<string, number>;
  /** Cumulative layout shift. */
  cls?: number;
  faults: string[];
}

/** Lighthouse does not work inside Jest's modules, so it runs in its own process. */
export async function auditPages(url: string, ...options: string[]): Promise<AuditedPage[]> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['dev/commands/audit.mjs', url, '--json', ...options], {
    maxBuffer: 16 * 1024 * 1024,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return JSON.parse(stdout) as AuditedPage[];
}
