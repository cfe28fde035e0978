import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

export interface TestProgram {
  program: string;
  execArgv: string[];
}

/** For integration tests: starts several times as fast as from its sources. */
export function builtProgram(name: string): TestProgram {
  return { program: fileURLToPath(new URL(`dist/bundle/${name}.js`, root)), execArgv: [] };
}

/** For unit tests, which run without a build. */
export function sourceProgram(file: URL): TestProgram {
  const hooks = fileURLToPath(new URL('dev/tools/register-swc.mjs', root));
  return { program: fileURLToPath(file), execArgv: ['--import', hooks] };
}
