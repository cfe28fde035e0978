import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually, Session, fullTest } from '#libs/testing';
import { startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let admin: Session;
beforeAll(async () => {
  site = await startSite({
    without: ['messaging', 'orders', 'projects'],
    gateways: 2,
    contentReplicas: 2,
    seed: 'demo',
  });
  admin = await site.admin();
});
afterAll(() => site?.stop());

/** Each gateway learns of a change at another one within this time. */
const withinASecond = { promisedMs: 1000 };

const otherGateway = () => site.gateways[1]!.url;

test('a change through one gateway is visible immediately there, and within a second on the other, as JSON and as a page', async () => {
  const [logo] = (await site.visitor.get<{ _id: string }[]>('/logo')).json;
  const elsewhere = Session.visitor(otherGateway());
  for (let round = 1; round <= 5; round += 1) {
    const address = `/round-${round}.svg`;
    await admin.put(`/logo/${logo!._id}`, { logo: address });
    expect((await site.visitor.get('/logo')).json).toMatchObject([{ logo: address }]);
    expect((await site.visitor.get('/')).text).toContain(address);
    await eventually(async () => {
      expect((await elsewhere.get('/logo')).json).toMatchObject([{ logo: address }]);
      expect((await elsewhere.get('/')).text).toContain(address);
    }, withinASecond);
  }
});

test('a change of the banner is in the page, in its ETag and in the sitemap within a second, on both gateways', async () => {
  const [banner] = (await site.visitor.get<{ _id: string }[]>('/banner')).json;
  const seenAt = async (session: Session) => {
    const [page, sitemap] = await Promise.all([session.get('/'), session.get('/sitemap.xml')]);
    // The entry of the home page, whose address is `http://site.test/`.
    const [, lastmod = ''] = /<loc>[^<]*test\/<\/loc><lastmod>([^<]+)/.exec(sitemap.text) ?? [];
    return {
      text: page.text,
      etag: page.headers.get('etag'),
      sitemapEtag: sitemap.headers.get('etag'),
      lastmod,
    };
  };
  for (const session of [site.visitor, Session.visitor(otherGateway())]) {
    const before = await seenAt(session);
    const bannerHeading = `Heading for ${session === site.visitor ? 'one' : 'two'}`;
    const changed = await admin.put<{ updatedAt: string }>(`/update-banner/${banner!._id}`, {
      ...banner,
      bannerHeading,
    });
    await eventually(async () => {
      const after = await seenAt(session);
      expect(after.text).toContain(bannerHeading);
      expect(after.lastmod).toBe(changed.json.updatedAt);
      expect(after.lastmod > before.lastmod).toBe(true);
      expect(after.etag).not.toBe(before.etag);
      expect(after.sitemapEtag).not.toBe(before.sitemapEtag);
    }, withinASecond);
  }
});

fullTest('a reader of one gateway never goes back to an older version during rapid changes', async () => {
  const [logo] = (await site.visitor.get<{ _id: string }[]>('/logo')).json;
  let writing = true;
  const writes = async () => {
    for (let i = 0; i < 30; i += 1) await admin.put(`/logo/${logo!._id}`, { logo: `/rush-${i}.svg` });
  };
  const written = writes().finally(() => (writing = false));
  const seen: number[] = [];
  while (writing) seen.push((await site.visitor.get<{ version: number }>('/site-content')).json.version);
  await written;
  expect(new Set(seen).size).toBeGreaterThan(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('after Redis has restarted empty, a change is visible on another gateway within seconds', async () => {
  // A gateway that subscribes again too late misses the broadcast, and notices the change only at its next poll.
  await site.redis.restartEmpty();
  const [logo] = (await site.visitor.get<{ _id: string }[]>('/logo')).json;
  await eventually(async () => {
    expect((await admin.put(`/logo/${logo!._id}`, { logo: '/after-restart.svg' })).status).toBe(200);
  });
  const elsewhere = Session.visitor(otherGateway());
  await eventually(
    async () => {
      expect((await elsewhere.get('/logo')).json).toMatchObject([{ logo: '/after-restart.svg' }]);
    },
    { promisedMs: 3000 },
  );
});

test('a change that no broadcast has announced is visible within seconds on every gateway', async () => {
  const sql = new pg.Client({ connectionString: site.databaseUrls.content });
  await sql.connect();
  await sql.query(
    `UPDATE entries SET body = body || '{"logo": "/unheard.svg"}', version = version + 1 WHERE section = 'logo'`,
  );
  await sql.query('UPDATE site_version SET version = version + 1');
  await sql.end();
  for (const { url } of site.gateways)
    await eventually(
      async () =>
        expect((await Session.visitor(url).get('/logo')).json).toMatchObject([{ logo: '/unheard.svg' }]),
      { promisedMs: 3000 },
    );
});

test('a removed admin is refused immediately on the gateway that removed them, and within a second on the other', async () => {
  const { session, adminUserId } = await site.secondAdmin('second@example.com');
  // 400 for an admin, because an empty step is invalid; 403 for anybody else.
  const attempt = (at: Session) => at.post('/add-step', {});
  await eventually(async () => expect((await attempt(session)).status).toBe(400), withinASecond);
  expect((await attempt(session.at(otherGateway()))).status).toBe(400);
  expect((await admin.delete(`/users/${adminUserId}`)).status).toBe(200);
  expect((await attempt(session)).status).toBe(403);
  await eventually(
    async () => expect((await attempt(session.at(otherGateway()))).status).toBe(403),
    withinASecond,
  );
});
