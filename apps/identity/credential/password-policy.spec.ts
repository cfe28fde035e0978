import { describe, expect, test } from '@jest/globals';
import type { DomainError } from '#libs/contracts';
import { PasswordPolicy } from './password-policy.js';

const siteNames = () => Promise.resolve(['North Rank', 'www.seo-agency.example', 'seo-agency']);
const policy = new PasswordPolicy(6, siteNames);
const email = 'ada.lovelace@math.example';

function refusal(password: string, testedPolicy = policy): Promise<DomainError | undefined> {
  return testedPolicy.check(password, email).then(
    () => undefined,
    (error: DomainError) => error,
  );
}

const codeAndMessage = async (password: string) => {
  const refused = await refusal(password);
  return refused && [refused.code, refused.details.fields?.[0]?.message];
};

describe('a new password', () => {
  test('shorter than the minimum of six characters is refused with a message that names the minimum', async () => {
    expect((await refusal('x7!kq'))?.code).toBe('INVALID_INPUT');
    expect((await refusal('x7!kq'))?.details.fields).toEqual([
      { field: 'password', message: 'Minimum 6 Characters' },
    ]);
    expect(await refusal('x7!kqz')).toBeUndefined();
  });

  test('shorter than another minimum is refused with a message that names that minimum', async () => {
    expect((await refusal('elevenchars', new PasswordPolicy(12, siteNames)))?.details.fields).toEqual([
      { field: 'password', message: 'Minimum 12 Characters' },
    ]);
  });

  test('is measured in code points in NFC: 🦊 is one, and so is e with a combining accent', async () => {
    expect((await refusal('🦊🦊🦊🦊🦊'))?.code).toBe('INVALID_INPUT');
    expect(await refusal('🦊🦊🦊🦊🦊🦊')).toBeUndefined();
    expect((await refusal('e\u0301e\u0301e\u0301e\u0301e\u0301'))?.code).toBe('INVALID_INPUT');
  });

  test.each(['123456', 'password', 'qwerty', 'iloveyou', 'letmein', 'dragon', 'PassWord', '1QAZ2WSX'])(
    '%s is refused as common, whatever its letter case',
    async (password) => {
      expect((await refusal(password))?.code).toBe('WEAK_PASSWORD');
      expect((await refusal(password))?.details.fields?.[0]?.field).toBe('password');
    },
  );

  test.each([
    ...[
      'P@ssw0rd',
      'P@ssw0rd1',
      'pa$$w0rd!',
      'Passw0rd2024!',
      'p.a.s.s.w.o.r.d',
      'pässwörd',
      'ｐａｓｓｗｏｒｄ',
    ],
    ...['dr4g0n', '!!letmein!!', 'Qwerty1!', '1L0veY0u', '123456!', 'Admin123!', '99monkey99'],
  ])('%s is refused as a disguised common one', async (password) => {
    const message = expect.stringContaining('too similar to a common one');
    expect(await codeAndMessage(password)).toEqual(['WEAK_PASSWORD', message]);
  });

  test.each(['northrank', 'North-Rank', 'N0rthR@nk1', 'Northrank2026!', 'seo-agency.', 'SEOagency1'])(
    "%s is refused as the site's name, or part of its address",
    async (password) => {
      const message = 'This password is this site’s name, or part of its address. Choose a different one.';
      expect(await codeAndMessage(password)).toEqual(['WEAK_PASSWORD', message]);
    },
  );

  test.each(['Ada.Lovelace@Math.example', 'ada.lovelace', 'Lovel@ce1815', 'ADA-LOVELACE!', 'math.example'])(
    '%s is refused as the e-mail address, or part of it',
    async (password) => {
      const message = 'This password is your e-mail address, or part of it. Choose a different one.';
      expect(await codeAndMessage(password)).toEqual(['WEAK_PASSWORD', message]);
    },
  );

  test.each([
    'correct horse battery staple',
    'hunter2-and-then-some',
    'пароль-длинный',
    '      x',
    'northern lights',
    // Words as short as ‘blue’ and ‘ada’ are ignored.
    'blue7316',
    'ada1815',
  ])('%j is accepted: only length and guessability count', async (password) => {
    expect(await refusal(password)).toBeUndefined();
  });
});
