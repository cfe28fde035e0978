import { describe, expect, test } from '@jest/globals';
import { fieldErrors, publicPages } from '#libs/contracts';
import { allSections, bodySchemaForCreate, type SectionName, sections } from '#libs/content-model';
import { demoContent } from './demo-content.js';

describe.each(allSections.map((section) => [section.name as SectionName, section] as const))(
  'the demo’s %s',
  (name, section) => {
    test('exists, and an admin could save it', () => {
      const bodies: readonly unknown[] = demoContent[name];
      expect(bodies.length).toBeGreaterThan(0);
      if (section.kind === 'singleton') expect(bodies).toHaveLength(1);
      for (const body of bodies) {
        const parsed = bodySchemaForCreate(section).safeParse(body);
        expect(parsed.success ? [] : fieldErrors(parsed.error)).toEqual([]);
      }
    });

    test('uses only the demo’s pictures, and its internal links lead to pages', () => {
      const pages = publicPages.map(({ path }) => path);
      for (const body of demoContent[name]) {
        for (const [field, value] of Object.entries(body) as [string, string][]) {
          const kind = section.fields[field]?.kind;
          if (kind === 'image') expect(value).toMatch(/^\/demo\/[a-z0-9-]+\.svg$/);
          // A link may end with a slash; the path of a page does not, except for `/`.
          if (kind === 'link' && value.startsWith('/'))
            expect(pages).toContain(value.replace(/(.)\/$/, '$1'));
        }
      }
    });
  },
);

test('the packages are Basic, Premium and Standard, with seven, eight and seven points', () => {
  const points = (body: object) =>
    Object.keys(body).filter((field) => field.startsWith('packagePoint')).length;
  expect(demoContent.pricingPackage.map((body) => [body.packageName, points(body)])).toEqual([
    ['Basic', 7],
    ['Premium', 8],
    ['Standard', 7],
  ]);
});

test('there are four steps, numbered from 1 to 4', () => {
  expect(demoContent.step.map(({ stepNumber }) => stepNumber)).toEqual(['1', '2', '3', '4']);
});

test('there are five testimonials, four team members and at least six service items', () => {
  expect(demoContent.testimonial).toHaveLength(5);
  expect(demoContent.teamMember).toHaveLength(4);
  expect(demoContent.serviceItem.length).toBeGreaterThanOrEqual(6);
});

test('the texts have no exclamation marks', () => {
  expect(JSON.stringify(Object.keys(sections).map((name) => demoContent[name as SectionName]))).not.toContain(
    '!',
  );
});
