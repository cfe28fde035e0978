import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { builtProgram } from '#libs/testing';
import { ImageProcessor, type ImageProcessorOptions } from '../images/image-processor.js';

let folder: string;
let upload: FileHandle;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-processor-'));
  const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: '#c8361b' } });
  await writeFile(join(folder, 'upload'), await picture.png().toBuffer());
  upload = await open(join(folder, 'upload'));
});
afterEach(async () => {
  await upload.close();
  await rm(folder, { recursive: true });
});

const processor = (options: Partial<ImageProcessorOptions> = {}) =>
  new ImageProcessor({
    limits: { maxPixels: 1000 },
    child: builtProgram('image-child'),
    ...options,
  });
const refusal = (message: string) => ({
  code: 'INVALID_INPUT',
  details: { fields: [{ field: 'image', message: expect.stringContaining(message) }] },
});

test('processes one picture at a time, queues a few, and refuses more', async () => {
  const busy = processor({ maxWaiting: 1 });
  const [first, second, third] = await Promise.allSettled([1, 2, 3].map(() => busy.process(upload)));
  expect(third).toMatchObject({ status: 'rejected', reason: { code: 'OVERLOADED' } });
  for (const done of [first, second]) {
    expect(done).toMatchObject({ status: 'fulfilled', value: { width: 30, height: 20 } });
  }
});

test.each<[string, Partial<ImageProcessorOptions>, string]>([
  ['with too many pixels', { limits: { maxPixels: 100 } }, 'has 30 × 20 pixels'],
  ['that needs too much time', { deadlineMs: 1 }, 'too much time or memory'],
  ['that needs too much memory', { maxMemoryBytes: 1 }, 'too much time or memory'],
])('refuses a picture %s', async (_what, options, message) => {
  await expect(processor(options).process(upload)).rejects.toMatchObject(refusal(message));
});

test('if the decoder crashes, the picture is refused as one that cannot be read', async () => {
  const program = join(folder, 'crash.mjs');
  await writeFile(program, `process.kill(process.pid, 'SIGSEGV');`);
  await expect(processor({ child: { program, execArgv: [] } }).process(upload)).rejects.toMatchObject(
    refusal('cannot be read'),
  );
});

test('an upload that cannot be read is a fault, and is not blamed on the picture', async () => {
  // Reading a folder fails.
  const unreadable = await open(folder);
  await expect(processor().process(unreadable)).rejects.toThrow('EISDIR');
  await unreadable.close();
});

test('when the gateway stops, no picture is blamed: neither the one in progress nor those that wait', async () => {
  const stopped = processor();
  const pictures = Promise.allSettled([1, 2].map(() => stopped.process(upload)));
  stopped.stop();
  for (const picture of await pictures)
    expect(picture).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
});
