import { expect, test } from '@jest/globals';
import { testStack } from '#libs/testing';
import { audited } from './audits.js';

// What does not depend on the machine's speed; how fast the pages are is audits.timed.spec.ts.
const categories = ['accessibility', 'best-practices', 'seo'];

test('Lighthouse finds nothing to mend in the public pages but perhaps their speed', async () => {
  const pages = await audited(testStack().url, `--only=${categories.join(',')}`, '--as=mobile');
  expect(pages.map(({ path }) => path)).toEqual(['/', '/pricing/', '/service/', '/contact']);
  for (const { path, scores, faults } of pages)
    expect({ path, faults, scores }).toEqual({
      path,
      faults: [],
      scores: Object.fromEntries(categories.map((category) => [category, 100])),
    });
}, 180_000);
