import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface BuiltProcess {
  readonly child: ChildProcess;
  /** The lines that the process has logged so far, parsed. */
  readonly log: Record<string, unknown>[];
  /** What the process has written so far. */
  readonly stderr: string;
  /** The exit code; null if a signal ended the process. */
  readonly exited: Promise<number | null>;
  /** `GET` on its health port, which is read from its log. */
  health(path: string): Promise<Response>;
  ready(): Promise<void>;
}

/**
 * Runs the built program of this name, to test signals, exit codes and invalid settings. Its environment is `env` and `PATH`. `folder` is a built
 * checkout.
 */
export function startBuiltProcess(
  name: string,
  env: Record<string, string>,
  folder: string = root,
): BuiltProcess {
  const program = name === 'web' ? 'dist/web/renderer/main.js' : `dist/bundle/${name}.js`;
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    // The channel ends the process when the test process dies, and carries messages between a spec and the process.
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
  const output = () => [...log.map((line) => JSON.stringify(line)), stderr].join('\n');
  const port = () => {
    const line = log.find((entry) => typeof entry.healthPort === 'number');
    if (!line) throw new Error(`${name} has not opened its health port:\n${output()}`);
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
    ready: async () => {
      let hasEnded = false;
      void exited.then(() => (hasEnded = true));
      await eventually(async () => {
        if (hasEnded) return;
        const response = await health('/readyz');
        if (response.status !== 200)
          throw new Error(`${name} is not ready: ${await response.text()}${output()}`);
      });
      if (hasEnded) throw new Error(`${name} ended before it was ready:\n${output()}`);
    },
  };
}
