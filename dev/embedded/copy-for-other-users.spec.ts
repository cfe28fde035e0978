import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyForOtherUsers } from './copy-for-other-users.js';

let folder: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0o077);
  folder = mkdtempSync(join(tmpdir(), 'seo-services-copy-'));
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, force: true });
});

test('a copy made under a strict umask can be entered, read and run by every user', () => {
  const original = join(folder, 'original');
  mkdirSync(join(original, 'bin'), { recursive: true });
  writeFileSync(join(original, 'bin', 'program'), '');
  chmodSync(join(original, 'bin', 'program'), 0o700);
  writeFileSync(join(original, 'library.so'), '');
  symlinkSync('library.so', join(original, 'library.so.1'));

  const copy = join(folder, 'copy');
  copyForOtherUsers(original, copy);

  const modeOf = (...path: string[]) => statSync(join(copy, ...path)).mode & 0o777;
  expect([modeOf(), modeOf('bin'), modeOf('bin', 'program')]).toEqual([0o755, 0o755, 0o755]);
  expect([modeOf('library.so'), modeOf('library.so.1')]).toEqual([0o644, 0o644]);
});
