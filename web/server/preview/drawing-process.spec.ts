import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { eventually, sourceProgram } from '#libs/testing';
import { DrawingProcess } from './drawing-process.js';
import type { LinkPreview } from './preview.js';

const child = sourceProgram(new URL('./drawing-child.ts', import.meta.url));
const preview = (title: string): LinkPreview => ({ title, site: 'Northrank', address: '' });

let drawing: DrawingProcess;
afterEach(() => drawing.stop());

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

describe('drawing in a separate process', () => {
  test('draws previews that are requested at the same time', async () => {
    drawing = new DrawingProcess({ ...child, deadlineMs: 30_000 });
    const images = await Promise.all(['Pricing', 'Services'].map((title) => drawing.draw(preview(title))));
    for (const image of images)
      expect(await sharp(image).metadata()).toMatchObject({ format: 'png', width: 1200 });
    expect(images[0]).not.toEqual(images[1]);
  });

  test('ends when there is nothing to draw, and starts again', async () => {
    drawing = new DrawingProcess({ ...child, idleMs: 1, deadlineMs: 30_000 });
    const first = await drawing.draw(preview('Pricing'));
    await eventually(() => expect(drawing.pid).toBeUndefined());
    expect(await drawing.draw(preview('Pricing'))).toEqual(first);
  });

  test('after a crash, only the previews that were being drawn are lost', async () => {
    drawing = new DrawingProcess({ ...child, deadlineMs: 30_000 });
    const lost = drawing.draw(preview('Pricing'));
    const pid = drawing.pid!;
    process.kill(pid, 'SIGKILL');
    await expect(lost).rejects.toThrow('ended');
    expect((await drawing.draw(preview('Pricing'))).length).toBeGreaterThan(1000);
    expect(drawing.pid).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
  });

  test('on a machine without fonts, characters that the bundled font lacks are left out rather than drawn as boxes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-fonts-'));
    try {
      const config = join(folder, 'fonts.conf');
      await writeFile(config, '<?xml version="1.0"?><fontconfig/>');
      const withoutFonts = `data:text/javascript,process.env.FONTCONFIG_FILE=${JSON.stringify(config)}`;
      drawing = new DrawingProcess({
        ...child,
        execArgv: ['--import', withoutFonts, ...child.execArgv],
        deadlineMs: 30_000,
      });
      const [hebrew, empty, latin, both] = await Promise.all(
        ['שלום עולם', '', 'Pricing', 'Pricing ש'].map((title) => drawing.draw(preview(title))),
      );
      expect(hebrew).toEqual(empty);
      expect(both).toEqual(latin);
      expect(latin).not.toEqual(empty);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('a drawing that takes too long is aborted', async () => {
    drawing = new DrawingProcess({ ...child, deadlineMs: 1 });
    await expect(drawing.draw(preview('Pricing'))).rejects.toThrow('too long');
  });

  test('a drawing that hangs is aborted even if other previews are requested meanwhile', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hanging-drawing-'));
    try {
      const program = join(folder, 'child.mjs');
      const listener = `({ id, preview }) => preview.title === 'Hanging' || process.send({ id, image: new Uint8Array(1) })`;
      await writeFile(program, `process.on('message', ${listener});`);
      drawing = new DrawingProcess({ program, deadlineMs: 1_000 });
      let fault: unknown;
      drawing.draw(preview('Hanging')).catch((error: Error) => (fault = error.message));
      await eventually(
        async () => {
          await drawing.draw(preview('Pricing'));
          expect(fault).toBe('The drawing took too long.');
        },
        { intervalMs: 10, timeoutMs: 5_000 },
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
