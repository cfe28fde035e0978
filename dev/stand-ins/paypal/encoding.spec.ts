import { describe, expect, test } from '@jest/globals';
import { decodeForm, encodeForm } from './encoding.js';

describe('the encoding of messages', () => {
  test.each([
    ['a name in windows-1252', 'windows-1252', 'Zoë Müller-€', 'Zo%EB+M%FCller-%80'],
    ['a name in utf-8', 'utf-8', 'Zoë Müller-€', 'Zo%C3%AB+M%C3%BCller-%E2%82%AC'],
    ['a date', 'windows-1252', '20:12:59 Jan 13, 2026 PST', '20%3A12%3A59+Jan+13%2C+2026+PST'],
    ['an address with a plus', 'windows-1252', 'a+b@example.com', 'a%2Bb%40example.com'],
    ['characters that windows-1252 does not have', 'windows-1252', '日本', '%3F%3F'],
    ['characters that other encoders do not escape', 'utf-8', "~*'()!", '%7E%2A%27%28%29%21'],
    ['an empty value', 'windows-1252', '', ''],
  ] as const)('writes %s as PayPal does', (_, charset, value, written) => {
    expect(encodeForm([['first_name', value]], charset)).toBe(`first_name=${written}`);
  });

  test('reads a form in the encoding that it names, or else in windows-1252, and no form in an unknown encoding', () => {
    expect(decodeForm(Buffer.from('charset=utf-8&item_name=Caf%C3%A9'))).toContainEqual([
      'item_name',
      'Café',
    ]);
    expect(decodeForm(Buffer.from('item_name=Caf%C3%A9'))).toEqual([['item_name', 'CafÃ©']]);
    expect(decodeForm(Buffer.from('item_name=Caf%E9&empty=&bare&a=1&a=2'))).toEqual([
      ['item_name', 'Café'],
      ['empty', ''],
      ['bare', ''],
      ['a', '1'],
      ['a', '2'],
    ]);
    expect(decodeForm(Buffer.from('charset=klingon'))).toBeUndefined();
  });
});
