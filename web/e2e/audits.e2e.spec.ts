import { expect, test } from '@jest/globals';
import { testStack } from '#libs/testing';
import { auditPages } from './audits.js';

// The categories that do not depend on the machine's speed; for performance, see audits.timed.spec.ts.
const categories = ['accessibility', 'best-practices', 'seo'];

test('Lighthouse finds no faults in the public pages, apart from performance', async () => {
  const pages = await auditPages(testStack().url, `--only=${categories.join(',')}`, '--as=mobile');
  expect(pages.map(({ path }) => path)).toEqual(['/', '/pricing/', '/service/', '/contact']);
  for (const { path, scores, faults } of pages)
    expect({ path, faults, scores }).toEqual({
      path,
      faults: [],
      scores: Object.fromEntries(categories.map((category) => [category, 100])),
    });
}, 180_000);
