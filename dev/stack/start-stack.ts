import { fileURLToPath } from 'node:url';
import { readSettings } from './settings.js';
import { type Reporter, Stack } from './stack.js';

const dist = fileURLToPath(new URL('../../', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface StartOptions {
  dataDir: string;
  /** 0, the default, picks a free one. */
  port?: number;
  /** More settings, by the names of .env.example. */
  env?: Record<string, string>;
  /** Says nothing but what goes wrong. */
  quiet?: boolean;
}

const quietReporter: Reporter = {
  step: async (_name, work) => void (await work()),
  line: (text) => console.error(text),
  abandon: () => undefined,
};
const reporter: Reporter = {
  ...quietReporter,
  step: async (name, work) => {
    await work();
    console.log(`${name} is ready`);
  },
};

/** What `npm start` runs, for programs: starts the built site and resolves when it serves. */
export function startStack({ dataDir, port = 0, env, quiet }: StartOptions): Promise<Stack> {
  const settings = readSettings(root, { ...process.env, ...env, DATA_DIR: dataDir, PORT: String(port) });
  return Stack.start({ settings, dist, reporter: quiet ? quietReporter : reporter });
}
