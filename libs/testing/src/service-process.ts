import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** What it logged so far, parsed. */
  readonly log: Record<string, unknown>[];
  /** What it wrote to stderr so far. */
  readonly stderr: string;
  /** The exit code, once it exits; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** `GET` on its health port, which its log tells: `/readyz`, `/healthz`, `/metrics`. */
  health(path: string): Promise<Response>;
  /** Waits until it says that it is ready. */
  ready(): Promise<void>;
}

/**
 * Runs an app in a process of its own, as it was built: for what only a process can show (signals, exit codes, the settings
 * it refuses). It inherits nothing but `PATH`. `checkout` is another one than this, built by itself.
 */
export function startServiceProcess(
  name: string,
  env: Record<string, string>,
  checkout: string = root,
): ServiceProcess {
  const child = spawn(process.execPath, [`dist/bundle/${name}.js`], {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const log: Record<string, unknown>[] = [];
  let stderr = '';
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    log.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const port = () => {
    const line = log.find((entry) => typeof entry.healthPort === 'number');
    if (!line) throw new Error(`${name} has not opened its health port:\n${JSON.stringify(log)}\n${stderr}`);
    return line.healthPort as number;
  };
  const health = async (path: string) => fetch(`http://127.0.0.1:${port()}${path}`);
  return {
    child,
    log,
    get stderr() {
      return stderr;
    },
    exited,
    health,
    ready: () =>
      eventually(
        async () => {
          const response = await health('/readyz');
          if (response.status !== 200) throw new Error(await response.text());
        },
        { timeoutMs: 60_000 },
      ),
  };
}
