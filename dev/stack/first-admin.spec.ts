import { expect, test } from '@jest/globals';
import type { DataFolder } from './data-folder.js';
import { prepareFirstAdmin } from './first-admin.js';
import type { StackSettings } from './settings.js';

const unprinted = { email: 'Ada@example.com', password: 'generated' };
const folder = { readJson: () => unprinted, writeJson: () => undefined } as unknown as DataFolder;
const prepare = (earliestAdmin: string | undefined) =>
  prepareFirstAdmin({ ADMIN_EMAIL: 'Ada@example.com' } as StackSettings, folder, earliestAdmin);

test.each([
  ['no admin exists yet', undefined, { ...unprinted, isNew: true }],
  ['its account exists', 'ada@example.com', { ...unprinted, isNew: true }],
  ['the database has another admin', 'grace@example.com', { email: 'grace@example.com', isNew: false }],
])(
  'after an interrupted start, the unprinted password is announced only for its own account: %s',
  (_, earliestAdmin, expected) => {
    expect(prepare(earliestAdmin)).toEqual(expected);
  },
);
