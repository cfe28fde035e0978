import { expect, test } from '@jest/globals';
import { mailboxOf } from './recipient-limits.js';

test.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['ada+shop@example.com', 'ada@example.com'],
  ['ada+a+b@example.com', 'ada@example.com'],
  ['ada.lovelace@example.com', 'ada.lovelace@example.com'],
  ['Ada.Love.Lace+x@GMail.com', 'adalovelace@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['+ada@gmail.com', '+ada@gmail.com'],
  ['"a@b"@example.com', '"a@b"@example.com'],
])('mails to %s are counted for %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
