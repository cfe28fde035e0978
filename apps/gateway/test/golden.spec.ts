import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { describePolicy } from '#libs/contracts';
import { operations } from '#libs/operations';
import { openApiDocument } from '../openapi/document.js';

const document = openApiDocument(operations, 'https://site.test');

/** `npm run golden` rewrites the committed file. */
function expectGolden(name: string, text: string): void {
  const file = new URL(`golden/${name}`, import.meta.url);
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

test('the OpenAPI document is the committed one', () => {
  expectGolden('openapi.json', `${JSON.stringify(document, null, 1)}\n`);
});

test('the routes and their policies are the committed ones', () => {
  const lines = operations.map(({ method, path, policy }) => `${method} ${path}  ${describePolicy(policy)}`);
  expectGolden('routes.txt', `${lines.sort().join('\n')}\n`);
});

describe('the calls of the specification, and the basic ones that it lacks, are documented', () => {
  // From section 7 of the specification, which has the typo `upadete-users`. It lacks all DELETE calls, the calls under `/auth/`, reading and
  // changing design items, and `/site-content`.
  const documented = `
    GET /logo /logo/{id} /users /users/{id} /banner /banner/{id} /about /about-us/{id} /service /service/{id} /service-items
      /service-item/{id} /actions /actions/{id} /worksec /worksec/{id} /steps /step-item/{id} /faq /faq/{id} /faq-items
      /faq-item/{id} /counters /counters/{id} /testimonialtext /testimonialtext/{id} /testimonials /testimonial/{id}
      /pricing/{id} /pricings /videos /videos/{id} /videos-items /videos-items/{id} /contacts /contacts/{id} /footer-about
      /footer-about/{id} /footer-address /footer-address/{id} /footer-social /footer-social/{id} /copyrights
      /copyrights/{id} /items /item/{id} /site-content /subscribers /messages /message/{id}
      /orders /order/{id} /paypal-email /paypal-email/{id}
    POST /add-banner /add-about /add-video /add-video-item /add-Service /add-service-item /add-item /add-step /add-logo
      /add-contact /add-footer-about /add-footer-address /add-footer-social /add-footer-copyright /add-counter /add-action
      /add-pricing /add-user /add-faq /add-faq-item /add-testimonial-text /add-testimonial /add-worksec
      /add-subscriber /add-message /new-order /add-email /auth/register /auth/login /auth/logout /auth/refresh
    PUT /service-item/{id} /update-about/{id} /videos-items/{id} /step-item/{id} /update-banner/{id} /footer-about/{id}
      /footer-address/{id} /footer-social/{id} /logo/{id} /contacts/{id} /service/{id} /copyrights/{id}
      /update-counters/{id} /update-videos/{id} /update-actions/{id} /pricing/{id} /upadete-users/{id} /faq/{id}
      /faq-item/{id} /testimonial/{id} /testimonialtext/{id} /update-worksec/{id} /item/{id} /message/{id}
      /order/{id} /order-status/{id} /order-cancelled/{id} /paypal-email/{id}
    DELETE /service-item/{id} /step-item/{id} /faq-item/{id} /testimonial/{id} /pricing/{id} /videos-items/{id}
      /contacts/{id} /item/{id} /users/{id} /subscriber/{id} /message/{id}`;
  let method = '';
  const calls = documented
    .trim()
    .split(/\s+/)
    .flatMap((word) => {
      if (word.startsWith('/')) return [[method, word] as const];
      method = word;
      return [];
    });

  test.each(calls)('%s %s', (verb, path) => {
    expect(document.paths).toHaveProperty([path, verb.toLowerCase()]);
  });
});

test('every reference in the document resolves', () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
  expect(references.length).toBeGreaterThan(100);
  for (const reference of references) {
    const [kind, name] = reference.split('/').slice(2) as ['schemas' | 'responses', string];
    expect(document.components[kind]).toHaveProperty([name]);
  }
});

test('no successful answer has an empty schema', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const success = Object.entries(responses).find(([status]) => /^[23]/.test(status) && status !== '304')!;
      expect([path, method, Object.values((success[1].content ?? {}) as object)]).not.toContainEqual([
        { schema: {} },
      ]);
    }
  }
});

test('a request body is documented for exactly the operations that take one', () => {
  for (const { method, path, body, rawBody, streamedBody } of operations) {
    const takesBody = Boolean(body ?? rawBody ?? streamedBody);
    const documented = document.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;
    expect([method, path, documented.requestBody !== undefined]).toEqual([method, path, takesBody]);
  }
});
