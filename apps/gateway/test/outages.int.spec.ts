import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, eventually, type Session, fullTest } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import { standInRenderer } from './stand-in-renderer.js';
import { publicUrl, startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let admin: Session;
beforeAll(async () => {
  site = await startSite({
    without: ['messaging', 'orders', 'projects'],
    processes: ['content', 'identity'],
    seed: 'demo',
  });
  admin = await site.admin();
});
afterAll(() => site?.stop());

const outcomeOf = ({ status, json, headers }: Answer<Problem>) => ({
  status,
  code: json.code,
  hasRetryAfter: Number(headers.get('retry-after')) >= 1,
});
const unavailable = { status: 503, code: 'UNAVAILABLE', hasRetryAfter: true };
const step = { stepTitle: 'Listen', stepDetails: 'First we listen.', stepNumber: '1' };

// Each test continues with the state of the previous one.
describe('the public site survives outages', () => {
  let page: string;
  let banner: unknown;

  test('everything is up: the page is rendered from the content', async () => {
    page = (await site.visitor.get('/')).text;
    banner = (await site.visitor.get('/banner')).json;
    // The stand-in renderer writes the content's version into its pages. A page that is rendered again from other content therefore differs.
    expect(page).toContain('version');
  });

  test('content is down: public answers stay unchanged, and writes get 503', async () => {
    await site.content[0]!.kill();
    await eventually(async () =>
      expect(outcomeOf(await admin.post<Problem>('/add-step', step))).toEqual(unavailable),
    );
    expect((await site.visitor.get('/banner')).json).toEqual(banner);
    expect((await site.visitor.get('/')).text).toBe(page);
    const readiness = await fetch(`http://127.0.0.1:${site.gateways[0]!.healthPort}/readyz`);
    expect(readiness.status).toBe(200);
  });

  fullTest('a gateway that starts while content is down answers 503, and is not ready', async () => {
    const late = await site.startGateway();
    const answer = await site.visitor.at(late.url).get<Problem>('/banner');
    expect(outcomeOf(answer)).toEqual(unavailable);
    const home = await site.visitor.at(late.url).get('/', { headers: { Accept: 'text/html' } });
    expect([home.status, home.headers.get('retry-after')]).toEqual([503, '5']);
    expect(home.text).toContain('The site isn’t ready right now');
    expect((await fetch(`http://127.0.0.1:${late.healthPort}/readyz`)).status).toBe(503);
    await late.close();
  });

  test('content is back: writes work again, and are visible', async () => {
    await site.startContent();
    await eventually(async () => expect((await admin.post('/add-step', step)).status).toBe(201));
    expect((await site.visitor.get('/steps')).text).toContain('First we listen.');
  });

  test('the renderer dies while rendering, and is replaced: the page arrives', async () => {
    let release = () => {};
    site.web.hold = new Promise((resolve) => (release = resolve));
    const visit = site.visitor.get('/terms', { headers: { Accept: 'text/html' } });
    await eventually(() => expect(site.web.renderedPaths).toContain('/terms'));
    await site.web.stop();
    release();
    const replacement = await standInRenderer(Number(new URL(site.web.url).port));
    expect((await visit).status).toBe(200);
    expect(replacement.renderedPaths).toEqual(['/terms']);
    await replacement.stop();
  });

  fullTest(
    'the renderer is down: pages, shells and files that the gateway already has are still served, others get 502, and unknown addresses still get 404',
    async () => {
      // The content is now newer than the pages that the gateway has.
      await admin.post('/add-step', { ...step, stepNumber: '2' });
      expect((await site.visitor.get('/')).status).toBe(200);
      for (const path of ['/dashboard', '/login', '/assets/app-1234.js'])
        expect([path, (await site.visitor.get(path)).status]).toEqual([path, 200]);
      for (const path of ['/privacy', '/assets/newer-1234.js']) {
        const answer = await site.visitor.get(path, { headers: { Accept: 'text/html' } });
        expect([path, answer.status, answer.text.includes('isn’t available')]).toEqual([path, 502, true]);
        expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      }
      const unknown = await site.visitor.get('/no-such-page', { headers: { Accept: 'text/html' } });
      expect([unknown.status, unknown.text.includes('Page not found')]).toEqual([404, true]);
    },
  );

  test('identity is down: calls that need a sign-in get 503, and the public site is not affected', async () => {
    await site.identity[0]!.kill();
    await eventually(async () =>
      expect(outcomeOf(await admin.get<Problem>('/auth/me'))).toEqual(unavailable),
    );
    expect(outcomeOf(await admin.post<Problem>('/add-step', step))).toEqual(unavailable);
    expect((await site.visitor.get('/steps')).status).toBe(200);
  });

  test('identity is still down: signing out gets 503, and the browser keeps its cookies, so that it can try again', async () => {
    const accessCookie = `access_token=${admin.bearer}`;
    for (const Cookie of [`${accessCookie}; refresh_token=x`, 'refresh_token=x']) {
      const headers = { Cookie, Origin: publicUrl };
      const answer = await site.visitor.send<Problem>('POST', '/auth/logout', { headers });
      expect(outcomeOf(answer)).toEqual(unavailable);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test('Redis is down: public answers are still served, and calls that need a service get 503', async () => {
    await site.startIdentity();
    await eventually(async () => expect((await admin.get('/auth/me')).status).toBe(200));
    await site.redis.kill();
    await eventually(async () =>
      expect(outcomeOf(await admin.get<Problem>('/auth/me'))).toEqual(unavailable),
    );
    const login = { email: 'a@example.com', password: 'whatever it is' };
    expect(outcomeOf(await site.visitor.post<Problem>('/auth/login', login))).toEqual(unavailable);
    expect((await site.visitor.get('/banner')).json).toEqual(banner);
    expect((await site.visitor.get('/')).status).toBe(200);
  });
});
