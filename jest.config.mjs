import { swcOptions } from './dev/tools/swc-options.mjs';

// ESM TypeScript through SWC. Every spec imports `jest` from '@jest/globals'.
const shared = {
  testEnvironment: '<rootDir>/dev/tools/jest/process-environment.mjs',
  runtime: '<rootDir>/dev/tools/jest/process-runtime.mjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    // Styles and drawings belong to Vite; a test that renders a page needs none.
    '\\.(css|svg)$': '<rootDir>/web/src/styles/none.ts',
    '^#libs/(.*)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: { '^.+\\.tsx?$': ['@swc/jest', swcOptions] },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

// Three sizes: `*.spec.ts` is pure and fast, `*.int.spec.ts` starts real Postgres or Redis,
// `*.e2e.spec.ts` drives the whole stack, in a browser where a person would.
// `*.full.spec.ts` are the long schedules that only `npm run test:full` runs, and `*.timed.spec.ts` what it runs after
// everything else, by itself: how fast pages are, and how much load the site bears, shows only on a machine with
// nothing else to do.
const size = (displayName, testMatch, extra = {}) => ({ ...shared, displayName, testMatch, ...extra });
const anywhere = (name) => ['apps', 'libs', 'dev', 'web'].map((top) => `<rootDir>/${top}/**/${name}`);

export default {
  projects: [
    size('unit', anywhere('*.spec.ts?(x)'), {
      testPathIgnorePatterns: ['/node_modules/', '\\.(int|e2e|full|timed)\\.spec\\.tsx?$'],
    }),
    size('integration', anywhere('*.int.spec.ts?(x)')),
    size('e2e', anywhere('*.e2e.spec.ts?(x)')),
    size('full', anywhere('*.full.spec.ts?(x)')),
    size('timed', anywhere('*.timed.spec.ts?(x)')),
  ],
  testSequencer: '<rootDir>/dev/tools/test-order.mjs',
  // For a machine with other work to do; nothing waits as long on an idle one.
  testTimeout: 120_000,
};
