import { describe, expect, test } from '@jest/globals';
import { processNames } from './settings.js';
import { affected } from './watch.js';

describe('a changed file restarts the affected processes', () => {
  test.each([
    ['apps/orders/app.module.ts', ['orders']],
    ['web/src/entry-server.tsx', ['gateway', 'web']],
    ['libs/contracts/src/pages.ts', [...processNames]],
    ['apps/README.md', []],
  ])('%s', (file, names) => {
    expect(affected([file]).sort()).toEqual([...names].sort());
  });
});
