import { readdir, readlink } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { Image } from '#libs/contracts';
import { eventually, type Session } from '#libs/testing';
import { startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let admin: Session;

beforeAll(async () => {
  site = await startSite({ without: ['messaging', 'orders', 'projects'] });
  admin = await site.admin();
});
afterAll(() => site?.stop());

test('nothing remains of an upload that was arriving when the gateway was killed', async () => {
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#3060c0' } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  for (const share of [0, 0.5, 0.99]) {
    const gateway = await site.startGatewayProcess();
    const headers = { Authorization: `Bearer ${admin.bearer}`, 'Content-Length': bytes.length };
    const upload = request(`${gateway.url}/images`, { method: 'POST', headers });
    const ended = new Promise((resolve) => upload.on('error', resolve).on('close', resolve));
    upload.write(bytes.subarray(0, Math.ceil(bytes.length * share) + 1));
    // The gateway writes the upload to a file that it unlinks at once, so the file disappears with the process.
    await eventually(async () => {
      const folder = `/proc/${gateway.child.pid}/fd`;
      const openFiles = (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => ''));
      expect((await Promise.all(openFiles)).join()).toContain('.upload-');
      expect(await readdir(site.filesDir)).toEqual([]);
    });
    await gateway.kill();
    await ended;
    expect(await readdir(site.filesDir)).toEqual([]);
    expect((await admin.get<Image[]>('/images')).json).toEqual([]);
  }
  const answer = await admin.send<Image>('POST', '/images', { body: bytes });
  expect(answer.status).toBe(201);
  expect(await readdir(site.filesDir)).toEqual([answer.json._id]);
});
