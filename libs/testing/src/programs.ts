import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

/** How a test starts a program of the site, in a process or a thread. */
export interface TestProgram {
  program: string;
  execArgv: string[];
}

/** A program as built, for integration tests: it starts several times as fast as from its sources. */
export function builtProgram(name: string): TestProgram {
  return { program: fileURLToPath(new URL(`dist/bundle/${name}.js`, root)), execArgv: [] };
}

/** A program from its TypeScript file, for unit tests, which run without a build. */
export function sourceProgram(file: URL): TestProgram {
  const hooks = fileURLToPath(new URL('dev/tools/register-swc.mjs', root));
  return { program: fileURLToPath(file), execArgv: ['--import', hooks] };
}
