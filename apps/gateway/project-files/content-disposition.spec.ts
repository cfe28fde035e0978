import { expect, test } from '@jest/globals';
import { attachmentNamed } from './content-disposition.js';

test.each([
  ['report.pdf', 'report.pdf', 'report.pdf'],
  ['Bericht für März.pdf', 'Bericht fur Marz.pdf', 'Bericht%20f%C3%BCr%20M%C3%A4rz.pdf'],
  ['a"b\\c/d.pdf', 'a_b_c_d.pdf', 'a_b_c_d.pdf'],
  // The normal form of these full-width characters is ASCII.
  ['a＂b＼c／d.pdf', 'a_b_c_d.pdf', 'a%EF%BC%82b%EF%BC%BCc%EF%BC%8Fd.pdf'],
  ['北京.pdf', '__.pdf', '%E5%8C%97%E4%BA%AC.pdf'],
])('the name %s is %s in ASCII, and %s in Unicode', (name, ascii, unicode) => {
  expect(attachmentNamed(name)).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${unicode}`);
});
