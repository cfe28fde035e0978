import { expect, test } from '@jest/globals';
import { fileNameIn } from './file-name.js';

test.each([
  ['logo.png', 'logo.png'],
  ['../../../etc/cron.d/x.png', 'x.png'],
  ['C:\\Users\\Ada\\team photo.png', 'team photo.png'],
  ['..', '..'],
  ['', 'Image'],
  ['photos/', 'Image'],
  [`${'x'.repeat(300)}.png`, `${'x'.repeat(251)}.png`],
])('a picture uploaded as %j is called %j', (path, name) => {
  expect(fileNameIn(path)).toBe(name);
});
