import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { boundaries } from './eslint/boundaries.mjs';

const noClientProxy = {
  selector: "ImportSpecifier[imported.name='ClientProxy']",
  message: "Use RpcClient of '#libs/transport', which is typed by the contracts.",
};
const noSql = [
  "TaggedTemplateExpression[tag.property.name='sql']",
  'CallExpression[callee.property.name=/^(query|createQueryBuilder)$/]',
].map((selector) => ({ selector, message: 'SQL belongs in a *.repository.ts file.' }));

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.data/', 'coverage/', 'test-results/'] },
  js.configs.recommended,
  { files: ['**/*.mjs'], languageOptions: { globals: globals.node } },
  {
    // A pattern that can backtrack lets one request occupy a core. Use a plain scan, or make each part match other characters.
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }] },
  },
  {
    files: ['apps/**', 'libs/**', 'web/**', 'dev/**'],
    ignores: ['**/*.spec.{ts,tsx}', '**/test/**'],
    rules: { 'regexp/no-super-linear-move': 'error' },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { house: { rules: { boundaries } } },
    rules: {
      'house/boundaries': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'ioredis', message: "Use the 'redis' package." },
            { name: 'express', message: 'The gateway runs on Fastify.' },
          ],
        },
      ],
      eqeqeq: 'error',
      'no-control-regex': 'off',
      'no-console': 'error',
    },
  },
  {
    // Configuration is parsed at boot in one place per process.
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'web/**/*.{ts,tsx}'],
    ignores: [
      '**/config.ts',
      '**/*.spec.ts',
      '**/test/**',
      'libs/testing/**',
      'web/e2e/**',
      'web/vite.config.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read settings in config.ts, which parses them at boot.',
        },
      ],
    },
  },
  { files: ['apps/**/*.ts'], rules: { 'no-restricted-syntax': ['error', noClientProxy] } },
  {
    files: ['apps/**/*.ts'],
    ignores: ['**/*.repository.ts', '**/migrations/**', '**/*.spec.ts', '**/test/**'],
    rules: { 'no-restricted-syntax': ['error', noClientProxy, ...noSql] },
  },
  {
    // Payment providers and the page renderer, at addresses from the settings. Google, mail and S3 have clients of their own.
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'web/server/**/*.ts'],
    ignores: [
      'apps/orders/payment/*/*-client.ts',
      'apps/gateway/pages/renderer.ts',
      'apps/gateway/pages/web-builds.ts',
      '**/*.spec.ts',
      '**/test/**',
      'libs/testing/**',
    ],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          name: 'fetch',
          message:
            'A server asks no address that a person typed. Name the place here if it is from the settings.',
        },
      ],
    },
  },
  { files: ['web/src/**/*.{ts,tsx}'], ...reactHooks.configs.flat['recommended-latest'] },
  {
    // No function is longer than a screen; markup takes more lines.
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.{ts,tsx}'],
    rules: {
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['web/src/**/*.tsx'],
    ignores: ['**/*.spec.tsx'],
    rules: {
      'max-lines-per-function': ['error', { max: 75, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['dev/**/*.{ts,mjs}', 'bench/**/*.ts', '**/*cli.ts', '**/*.spec.ts', '**/test/**'],
    rules: { 'no-console': 'off' },
  },
);
