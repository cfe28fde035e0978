import { describe, expect, test } from '@jest/globals';
import { accountMailParams, mailRequest } from './mail.contract.js';

const mailId = '0190f8f0-0000-7000-8000-000000000001';
const to = 'ann@example.com';

describe('a request for a mail', () => {
  test('has a schema for every template of `accountMailParams`', () => {
    const known = mailRequest.options.map((option) => option.shape.template.value);
    expect(known).toEqual(Object.keys(accountMailParams));
  });

  test.each([
    ['a link that is not a web address', 'verifyEmail', { link: 'javascript:alert(1)' }],
    ['a parameter of another template', 'passwordChanged', { link: 'https://example.com' }],
    [
      'a device with a line break',
      'newSignIn',
      { device: 'Firefox\r\nBcc: x@y.z', when: '2026-11-21T10:00:00Z' },
    ],
    ['a time that is not a date', 'newSignIn', { device: 'Firefox', when: 'yesterday' }],
    ['an unknown change', 'secondFactorChanged', { what: 'everything' }],
  ])('is refused with %s', (_fault, template, params) => {
    expect(mailRequest.safeParse({ mailId, to, template, params }).success).toBe(false);
  });

  test('truncates the name of a device', () => {
    const params = { device: 'x'.repeat(400), when: '2026-11-21T10:00:00Z' };
    const parsed = mailRequest.parse({ mailId, to, template: 'newSignIn', params });
    expect(parsed.params).toMatchObject({ device: 'x'.repeat(200) });
  });

  test('remains storable if the name of a device is truncated within a character', () => {
    const params = { device: `${'x'.repeat(199)}😀`, when: '2026-11-21T10:00:00Z' };
    const parsed = mailRequest.parse({ mailId, to, template: 'newSignIn', params });
    expect(parsed.params).toMatchObject({ device: `${'x'.repeat(199)}\ufffd` });
  });
});
