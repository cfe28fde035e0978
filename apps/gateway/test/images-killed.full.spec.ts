import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { Image } from '#libs/contracts';
import { eventually, type Session, startServiceProcess } from '#libs/testing';
import { startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let admin: Session;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'images-killed-'));
  site = await startSite({ settings: { IMAGES_DIR: folder } });
  admin = await site.admin();
});
afterAll(async () => {
  await site?.stop();
  await rm(folder, { recursive: true });
});

/** Starts another gateway, in its own process. */
async function anotherGateway() {
  const gateway = startServiceProcess('gateway', {
    REDIS_URL: site.redis.url,
    WEB_URL: site.web.url,
    IMAGES_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://site.test',
  });
  await gateway.ready();
  const { port } = gateway.log.find((line) => line.msg === 'Ready') as { port: number };
  return { gateway, port };
}

test('a gateway that is killed while an upload arrives leaves nothing of it', async () => {
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#3060c0' } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  for (const share of [0, 0.5, 0.99]) {
    const { gateway, port } = await anotherGateway();
    const headers = { Authorization: `Bearer ${admin.bearer}`, 'Content-Length': bytes.length };
    const upload = request({ port, host: '127.0.0.1', path: '/images', method: 'POST', headers });
    const ended = new Promise((resolve) => upload.on('error', resolve).on('close', resolve));
    upload.write(bytes.subarray(0, Math.ceil(bytes.length * share) + 1));
    // The gateway has an unlinked file open.
    await eventually(async () => {
      const files = `/proc/${gateway.child.pid}/fd`;
      const open = (await readdir(files)).map((fd) => readlink(join(files, fd)).catch(() => ''));
      expect((await Promise.all(open)).join()).toContain('.upload-');
      expect(await readdir(folder)).toEqual([]);
    });
    gateway.child.kill('SIGKILL');
    await gateway.exited;
    await ended;
    expect(await readdir(folder)).toEqual([]);
    expect((await admin.get<Image[]>('/images')).json).toEqual([]);
  }
  const answer = await admin.send<Image>('POST', '/images', { body: bytes });
  expect(answer.status).toBe(201);
  expect(await readdir(folder)).toEqual([answer.json._id]);
});
