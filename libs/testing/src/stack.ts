import { readFileSync } from 'node:fs';
import type { StackFile } from '../../../dev/stack/stack.js';

export type TestStack = StackFile & { admin: { email: string; password: string } };

/** The running site that all end-to-end specs share, with demo content and a first admin. */
export function testStack(): TestStack {
  const file = process.env.TEST_STACK;
  if (!file)
    throw new Error('No site runs for end-to-end tests: run them with `node dev/commands/jest.mjs`.');
  return JSON.parse(readFileSync(file, 'utf8')) as TestStack;
}
