import { expect, test } from '@jest/globals';
import { announcement } from './announce.js';
import { readSettings } from './settings.js';
import type { Stack } from './stack.js';

test.each([
  ['generated', {}, 'generated (shown only this once)'],
  ['configured', { ADMIN_PASSWORD: 'configured' }, 'from ADMIN_PASSWORD'],
  ['generated', { ADMIN_PASSWORD: 'set after an interrupted start' }, 'generated (shown only this once)'],
])('the first admin’s password, %s, is announced with the settings %j as `%s`', (password, env, shown) => {
  const admin = { email: 'admin@example.com', password, isNew: true };
  const stack = { admin, url: 'http://localhost:3000' } as Stack;
  expect(announcement(stack, readSettings('/nowhere', env))).toMatch(
    new RegExp(`Password +${shown.replace(/[()]/g, '\\$&')}$`, 'm'),
  );
});
