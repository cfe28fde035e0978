import { expect, test } from '@jest/globals';
import { readSettings } from '../settings.js';
import type { Stack } from '../stack.js';
import { createDemoDataOnFirstStart } from './create-on-first-start.js';

test('an interruption that leaves the demo data incomplete is reported', async () => {
  const nowhere = 'http://127.0.0.1:1';
  const stack = {
    ...{ url: nowhere, paypalUrl: nowhere, mailUrl: nowhere },
    admin: { email: 'admin@example.com', password: 'a fine long password', isNew: true },
  } as Stack;
  const reported: string[] = [];
  const settings = readSettings('/nonexistent', {});
  await createDemoDataOnFirstStart(stack, settings, AbortSignal.abort(), (text) => reported.push(text));
  expect(reported).toEqual([
    '! The demo data is incomplete, because the site was stopped. The admin’s dashboard can remove it.',
  ]);
});
