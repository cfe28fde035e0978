import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '#libs/testing';
import { removeDataFolder } from '../embedded/home.js';
import type { StackFile } from '../stack/stack.js';

/** A site that `npm start` runs in a process of its own. */
export class Launch {
  output = '';
  readonly exited: Promise<number | null>;
  readonly child: ChildProcess;

  constructor(
    readonly dataDir: string,
    env: Record<string, string> = {},
  ) {
    const inherited = { PATH: process.env.PATH, HOME: process.env.HOME };
    this.child = spawn(process.execPath, [resolve('dev/commands/start.mjs')], {
      env: { ...inherited, PORT: '0', DEMO_DATA: 'no', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.exited = once(this.child, 'close').then(([code]) => code as number | null);
  }

  /** Returns the site's address. */
  async ready(): Promise<string> {
    await this.waitForOutput(/^Ready: http\S+$/m);
    return this.stack.url;
  }

  async waitForOutput(pattern: RegExp, timeoutMs = 100_000): Promise<void> {
    let ended = false;
    void this.exited.then(() => (ended = true));
    await eventually(
      () => {
        if (!pattern.test(this.output) && !ended)
          throw new Error(`The output does not match ${pattern} yet:\n${this.output}`);
      },
      { timeoutMs },
    );
    if (!pattern.test(this.output))
      throw new Error(`The process ended, and its output does not match ${pattern}:\n${this.output}`);
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.exited;
  }

  get stack(): StackFile {
    return JSON.parse(readFileSync(join(this.dataDir, 'stack.json'), 'utf8')) as StackFile;
  }

  /** Replicas, Redis, Postgres and stand-ins, as recorded when the last of them was started. */
  get pids(): number[] {
    const file = readFileSync(join(this.dataDir, 'processes.json'), 'utf8');
    return (JSON.parse(file) as { children: { pid: number }[] }).children.map(({ pid }) => pid);
  }
}

/** `remove` also deletes the folder of the embedded servers, which may be outside the data folder. */
export function temporaryDataDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'seo-services-start-'));
  return { path, remove: () => removeDataFolder(path) };
}
