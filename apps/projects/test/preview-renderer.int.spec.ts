import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { builtProgram } from '#libs/testing';
import { redPdf } from './files.harness.js';
import { type PreviewOptions, PreviewRenderer, RendererStopped } from '../file/preview-renderer.js';

let file: FileHandle;
let renderer: PreviewRenderer;
beforeEach(async () => {
  const path = join(tmpdir(), `preview-${randomUUID()}`);
  file = await open(path, 'wx+');
  // The renderer needs only the open file. After `unlink`, the system deletes the file as soon as it is closed.
  await unlink(path);
  await file.writeFile(redPdf());
});
afterEach(async () => {
  renderer.stop();
  await file.close();
});

function render(options: PreviewOptions = {}): Promise<Buffer | undefined> {
  renderer = new PreviewRenderer({
    ...builtProgram('preview-child'),
    ...options,
  });
  return renderer.render(file, 'application/pdf');
}

test('a preview is a WebP picture', async () => {
  expect((await render())!.toString('latin1', 8, 12)).toBe('WEBP');
});

test.each([
  ['takes too long', { deadlineMs: 20 }],
  ['takes too much memory', { maxMemoryBytes: 1024 * 1024 }],
  ['ends without an answer', { program: join(tmpdir(), 'nothing.js') }],
])('there is no preview if the process %s', async (_what, options) => {
  expect(await render(options)).toBeUndefined();
});

test('after a stop, the current and later previews are rejected, rather than reported as impossible', async () => {
  const rendering = render({ deadlineMs: 60_000 });
  renderer.stop();
  await expect(rendering).rejects.toThrow(RendererStopped);
  await expect(renderer.render(file, 'application/pdf')).rejects.toThrow(RendererStopped);
});
