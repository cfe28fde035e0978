import { fileURLToPath } from 'node:url';
import { readSettings } from './settings.js';
import { type Reporter, Stack } from './stack.js';

// At run time, this module is in `dist/dev/stack`.
const dist = fileURLToPath(new URL('../../', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface StartOptions {
  dataDir: string;
  /** 0, the default, picks a free port. */
  port?: number;
  /** Settings, as in .env.example. They take precedence over the environment. */
  env?: Record<string, string>;
  /** Prints only warnings and errors. */
  quiet?: boolean;
}

const quietReporter: Reporter = {
  step: async (_name, work) => void (await work()),
  printLine: (text) => console.error(text),
  abandon: () => undefined,
};
const reporter: Reporter = {
  ...quietReporter,
  step: async (name, work) => {
    await work();
    console.log(`${name} is ready`);
  },
};

/** Starts the built site like `npm start`, without demo data. Resolves when it is ready. */
export function startStack({ dataDir, port = 0, env, quiet }: StartOptions): Promise<Stack> {
  const settings = readSettings(root, { ...process.env, ...env, DATA_DIR: dataDir, PORT: String(port) });
  return Stack.start({ settings, dist, reporter: quiet ? quietReporter : reporter });
}
