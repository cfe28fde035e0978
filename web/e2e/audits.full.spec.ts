import { expect, test } from '@jest/globals';
import { testStack } from '#libs/testing';
import { auditPages } from './audits.js';

// These do not depend on the machine's speed. audits.timed.spec.ts audits the performance.
const categories = ['accessibility', 'best-practices', 'seo'];
const audited = ['/', '/contact'];

test('Lighthouse finds no faults in the accessibility, best practices and SEO of the landing and the contact page', async () => {
  const pages = await auditPages(
    testStack().url,
    `--only=${categories.join(',')}`,
    '--as=mobile',
    `--pages=${audited.join(',')}`,
  );
  expect(pages.map(({ path }) => path)).toEqual(audited);
  for (const { path, scores, faults } of pages)
    expect({ path, faults, scores }).toEqual({
      path,
      faults: [],
      scores: Object.fromEntries(categories.map((category) => [category, 100])),
    });
}, 180_000);
