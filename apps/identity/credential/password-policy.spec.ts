import { describe, expect, test } from '@jest/globals';
import type { DomainError } from '#libs/contracts';
import { PasswordPolicy } from './password-policy.js';

const policy = new PasswordPolicy(6);
const email = 'ada@example.com';

function refusal(password: string, by = policy): DomainError | undefined {
  try {
    by.check(password, email);
    return undefined;
  } catch (error) {
    return error as DomainError;
  }
}

describe('a new password', () => {
  test('shorter than the minimum is refused in the documented words', () => {
    expect(refusal('x7!kq')?.code).toBe('INVALID_INPUT');
    expect(refusal('x7!kq')?.details.fields).toEqual([
      { field: 'password', message: 'Minimum 6 Characters' },
    ]);
    expect(refusal('x7!kqz')).toBeUndefined();
  });

  test('names the configured minimum', () => {
    expect(refusal('elevenchars', new PasswordPolicy(12))?.details.fields).toEqual([
      { field: 'password', message: 'Minimum 12 Characters' },
    ]);
  });

  test('is counted in characters a person sees: an emoji is one, a composed letter too', () => {
    expect(refusal('🦊🦊🦊🦊🦊')?.code).toBe('INVALID_INPUT');
    expect(refusal('🦊🦊🦊🦊🦊🦊')).toBeUndefined();
    expect(refusal('e\u0301e\u0301e\u0301e\u0301e\u0301')?.code).toBe('INVALID_INPUT');
  });

  test.each(['123456', 'password', 'qwerty', 'iloveyou', 'letmein', 'dragon', 'PassWord', '1QAZ2WSX'])(
    '%s is refused as common, whatever its letter case',
    (password) => {
      expect(refusal(password)?.code).toBe('WEAK_PASSWORD');
      expect(refusal(password)?.details.fields?.[0]?.field).toBe('password');
    },
  );

  test('must not be the e-mail address', () => {
    expect(refusal('Ada@Example.com')?.code).toBe('WEAK_PASSWORD');
  });

  test.each(['correct horse battery staple', 'hunter2-and-then-some', 'пароль-длинный', '      x'])(
    '%j is fine: nothing but length and commonness counts',
    (password) => {
      expect(refusal(password)).toBeUndefined();
    },
  );
});
