import { describe, expect, test } from '@jest/globals';
import { nameFromEmail } from './person-name.js';

describe('a name made from an e-mail address', () => {
  test.each([
    ['ada.lovelace@example.com', 'Ada Lovelace'],
    ['eve@example.com', 'Eve'],
    ['jean-luc_p.42@example.com', 'Jean Luc P 42'],
    ['support+seo@example.com', 'Support'],
    ['émile@example.com', 'Émile'],
    ['_@example.com', '_'],
  ])('%s is %s', (email, name) => {
    expect(nameFromEmail(email)).toBe(name);
  });
});
