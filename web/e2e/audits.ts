import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What `dev/commands/audit.mjs --json` says of one page. */
export interface AuditedPage {
  path: string;
  form: 'mobile' | 'desktop';
  /** Of 100, by category. */
  scores: Record<string, number>;
  cls?: number;
  faults: string[];
}

/** Lighthouse in a process of its own: it does not run inside of Jest's modules. */
export async function audited(url: string, ...options: string[]): Promise<AuditedPage[]> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['dev/commands/audit.mjs', url, '--json', ...options], {
    maxBuffer: 16 * 1024 * 1024,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return JSON.parse(stdout) as AuditedPage[];
}
