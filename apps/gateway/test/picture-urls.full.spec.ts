import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { sections } from '#libs/content-model';
import type { Image } from '#libs/contracts';
import { sampleBody, type Session } from '#libs/testing';
import { publicUrl, startSite, type SiteUnderTest } from './site.harness.js';

const { banner } = sections;
const partner = 'https://partner.example';
const fromPartner = { headers: { Origin: partner } };

interface BannerRecord {
  _id: string;
  bannerImage: string;
}

let site: SiteUnderTest;
let admin: Session;
let image: Image;
let record: BannerRecord;
beforeAll(async () => {
  site = await startSite({
    without: ['messaging', 'orders', 'projects'],
    settings: { CORS_ORIGINS: partner },
  });
  admin = await site.admin();
  image = await upload({});
  const created = await admin.post<BannerRecord>(banner.routes.create, {
    ...sampleBody(banner),
    bannerImage: image.address,
  });
  record = created.json;
});
afterAll(() => site?.stop());

async function upload(headers: Record<string, string>): Promise<Image> {
  const bytes = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  return (await admin.send<Image>('POST', '/images', { body: bytes, headers })).json;
}

test('a request without an Origin gets relative picture URLs', async () => {
  expect(image.address).toMatch(/^\/images\//);
  expect(record.bannerImage).toBe(image.address);
});

test('a request from an allowed origin gets absolute picture URLs, and caches distinguish the two answers', async () => {
  const absolute = publicUrl + image.address;
  const list = await site.visitor.get<BannerRecord[]>('/banner', fromPartner);
  expect(list.json[0]!.bannerImage).toBe(absolute);
  expect(list.headers.get('vary')).toContain('Origin');
  const withoutOrigin = await site.visitor.get<BannerRecord[]>('/banner');
  expect(withoutOrigin.json[0]!.bannerImage).toBe(image.address);
  expect(withoutOrigin.headers.get('vary')).toContain('Origin');
  expect(list.headers.get('etag')).not.toBe(withoutOrigin.headers.get('etag'));
  const again = await site.visitor.get('/banner', {
    headers: { Origin: partner, 'If-None-Match': list.headers.get('etag')! },
  });
  expect(again.status).toBe(304);
  const item = await site.visitor.get<BannerRecord>(`/banner/${record._id}`, fromPartner);
  expect(item.json.bannerImage).toBe(absolute);
  const whole = await site.visitor.get<{ sections: { banner: BannerRecord[] } }>(
    '/site-content',
    fromPartner,
  );
  expect(whole.json.sections.banner[0]!.bannerImage).toBe(absolute);
});

test('a request from an origin that is not allowed gets relative picture URLs', async () => {
  const fromElsewhere = { headers: { Origin: 'https://elsewhere.example' } };
  expect((await site.visitor.get<BannerRecord[]>('/banner', fromElsewhere)).json[0]!.bannerImage).toBe(
    image.address,
  );
});

test('uploads and the image library, too, give an allowed origin absolute picture URLs', async () => {
  const absolute = publicUrl + image.address;
  expect((await upload({ Origin: partner })).address).toBe(absolute);
  expect((await admin.get<Image>(`/images/${image._id}`, fromPartner)).json.address).toBe(absolute);
  expect((await admin.get<Image[]>('/images', fromPartner)).json[0]!.address).toBe(absolute);
});

test('a record can be sent back as it was read, and is stored with relative picture URLs', async () => {
  const read = (await site.visitor.get<BannerRecord>(`/banner/${record._id}`, fromPartner)).json;
  const path = banner.routes.update.replace(':id', record._id);
  const answer = await admin.put<BannerRecord & { modifiedCount: number }>(path, read, fromPartner);
  expect([answer.status, answer.json.modifiedCount]).toEqual([200, 0]);
  expect(answer.json.bannerImage).toBe(publicUrl + image.address);
  expect((await site.visitor.get<BannerRecord>(`/banner/${record._id}`)).json.bannerImage).toBe(
    image.address,
  );
});

test('links stay relative, and the URLs of pictures on other sites do not change', async () => {
  const path = banner.routes.update.replace(':id', record._id);
  // Another site, although its address begins like this site's.
  const bannerImage = `${publicUrl}.example/picture.png`;
  await admin.put(path, { ...sampleBody(banner), bannerImage, buttonOneLink: '/pricing/' });
  const read = (await site.visitor.get<Record<string, string>>(`/banner/${record._id}`, fromPartner)).json;
  expect([read.bannerImage, read.buttonOneLink]).toEqual([bannerImage, '/pricing/']);
});
