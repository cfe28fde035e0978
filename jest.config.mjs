import { swcOptions } from './dev/tools/swc-options.mjs';

// ESM TypeScript through SWC. A spec that uses `jest` imports it from '@jest/globals'.
const shared = {
  // Not in the folder of temporary files, which may be in memory (dev/tools/memory-folder.mjs).
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testEnvironment: '<rootDir>/dev/tools/jest/process-environment.mjs',
  runtime: '<rootDir>/dev/tools/jest/process-runtime.mjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    // Only Vite can load styles and SVG files; a test that renders a page does not need them.
    '\\.(css|svg)$': '<rootDir>/web/src/styles/none.ts',
    '^#libs/(.*)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: { '^.+\\.tsx?$': ['@swc/jest', swcOptions] },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

// `*.spec.ts` starts no Postgres, Redis or browser, `*.int.spec.ts` starts Postgres, Redis or other processes, and `*.e2e.spec.ts` drives the
// whole stack, mostly in a browser. Only `npm run test:full` runs the others: `*.full.spec.ts`, which take long,
// and, after everything else, `*.timed.spec.ts`, which measure how fast pages are and how much load the site bears, and
// therefore need an otherwise idle machine.
const project = (displayName, testMatch, extra = {}) => ({ ...shared, displayName, testMatch, ...extra });
const anywhere = (name) => ['apps', 'libs', 'dev', 'web'].map((top) => `<rootDir>/${top}/**/${name}`);

export default {
  projects: [
    project('unit', anywhere('*.spec.ts?(x)'), {
      testPathIgnorePatterns: ['/node_modules/', '\\.(int|e2e|full|timed)\\.spec\\.tsx?$'],
    }),
    project('integration', anywhere('*.int.spec.ts?(x)')),
    project('e2e', anywhere('*.e2e.spec.ts?(x)')),
    project('full', anywhere('*.full.spec.ts?(x)')),
    project('timed', anywhere('*.timed.spec.ts?(x)')),
  ],
  testSequencer: '<rootDir>/dev/tools/test-order.mjs',
  // Node needs more than jest's default of half a second to end a worker with hundreds of megabytes in memory.
  workerGracefulExitTimeout: 5_000,
  // Long enough for a busy machine. Some long tests set a longer time themselves.
  testTimeout: 120_000,
};
