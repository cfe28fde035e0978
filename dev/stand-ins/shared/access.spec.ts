import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openGoogleStandIn } from '../google/server.js';
import { openCatcher } from '../mail/server.js';
import { openSimulator } from '../paypal/server.js';

const client = { id: 'shop', secret: 's'.repeat(24), redirectUris: ['http://localhost:3000/back'] };

// The last value is the status for a form that is let through: 400 where its path or its empty body is invalid.
describe.each([
  ['Google', () => openGoogleStandIn({ client }), '/choose/nobody', 400],
  ['a mail server', () => openCatcher(), '/clear', 303],
  ['PayPal', () => openSimulator(), '/console/clock', 400],
])('the HTTP server of the stand-in for %s', (_name, open, formPath, statusIfLetThrough) => {
  let standIn: { url: string; stop(): Promise<void> };
  beforeAll(async () => {
    standIn = await open();
  });
  afterAll(() => standIn.stop());

  test.each([
    ['127.0.0.1', 200],
    ['somebody.localhost', 200],
    ['evil.example', 403],
    ['evil-localhost', 403],
  ])('answers a request for host %s with %i', async (host, expected) => {
    const { port } = new URL(standIn.url);
    const { statusCode, body } = await new Promise<{ statusCode?: number | undefined; body: string }>(
      (resolve, reject) => {
        request({ port, host: '127.0.0.1', path: '/', headers: { host: `${host}:${port}` } }, (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (part: string) => (body += part));
          response.on('end', () => resolve({ statusCode: response.statusCode, body }));
        })
          .on('error', reject)
          .end();
      },
    );
    expect(statusCode).toBe(expected);
    expect(body.includes('Use the host 127.0.0.1.')).toBe(expected === 403);
  });

  test('refuses form submissions from other sites', async () => {
    const submit = (site: string) =>
      fetch(new URL(formPath, standIn.url), {
        method: 'POST',
        headers: { 'sec-fetch-site': site, 'content-type': 'application/x-www-form-urlencoded' },
        body: '',
        redirect: 'manual',
      });
    const refused = await submit('cross-site');
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('This form was submitted from another site.'),
    ]);
    expect((await submit('same-origin')).status).toBe(statusIfLetThrough);
  });

  test('serves a page whose CSP allows no scripts, and its style sheets', async () => {
    const page = await fetch(standIn.url);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
    const sheets = [...(await page.text()).matchAll(/<link rel="stylesheet" href="([^"]+)"/g)];
    expect(sheets).toHaveLength(2);
    for (const [, path] of sheets) {
      const sheet = await fetch(new URL(path!, standIn.url));
      expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
    }
  });
});
