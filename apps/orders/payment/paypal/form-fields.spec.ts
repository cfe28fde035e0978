import { describe, expect, test } from '@jest/globals';
import { readForm } from './form-fields.js';

const read = (text: string) => readForm(Buffer.from(text, 'latin1'));

describe('a form-encoded message', () => {
  test.each([
    ['the default charset', 'first_name=Ren%E9', 'René'],
    ['windows-1252', 'first_name=%93Ren%E9%94+%80&charset=windows-1252', '“René” €'],
    ['utf-8', 'charset=utf-8&first_name=Ren%C3%A9', 'René'],
    ['UTF-8 in capitals', 'charset=UTF-8&first_name=Ren%C3%A9', 'René'],
    ['Shift_JIS', 'charset=Shift_JIS&first_name=%93%FA%96%7B', '日本'],
    ['gb2312', 'charset=gb2312&first_name=%D6%D0', '中'],
    ['an unknown charset', 'charset=klingon&first_name=Ren%E9', 'René'],
    ['bytes that are not escaped', 'charset=utf-8&first_name=Ren\xc3\xa9', 'René'],
    ['a value with an equals sign', 'first_name=a=b', 'a=b'],
    ['an invalid escape', 'first_name=100%&x=%zz', '100%'],
    ['an empty value', 'first_name=&last_name=x', ''],
    ['a name without a value', 'first_name', ''],
    ['empty pairs', '&&first_name=x&&', 'x'],
  ])('with %s: %j has the first name %j', (_what, text, expected) => {
    expect(read(text).get('first_name')).toBe(expected);
  });

  test('a plus is decoded as a space, and an escaped plus as a plus', () => {
    const fields = read('payment_date=20%3A12%3A59+Jan+13%2C+2026+PST&x=a%2Bb');
    expect(fields.get('payment_date')).toBe('20:12:59 Jan 13, 2026 PST');
    expect(fields.get('x')).toBe('a+b');
  });

  test('names are case-sensitive, and missing ones are undefined', () => {
    const fields = read('Custom=a&custom=b');
    expect([fields.get('Custom'), fields.get('custom'), fields.get('CUSTOM')]).toEqual(['a', 'b', undefined]);
    expect(fields.repeatedNames).toEqual([]);
    expect(fields.get('__proto__')).toBeUndefined();
    // A byte order mark is part of the name.
    expect(read('charset=utf-8&%EF%BB%BFcustom=x').get('custom')).toBeUndefined();
  });

  test.each([
    ['mc_gross=1.00&mc_gross=290.00', ['mc_gross']],
    ['mc_gross=290.00&a=1&mc%5Fgross=290.00', ['mc_gross']],
    ['a&a&b&b&b', ['a', 'b']],
  ])('%s: repeated names are reported', (text, repeated) => {
    expect(read(text).repeatedNames).toEqual(repeated);
  });
});
