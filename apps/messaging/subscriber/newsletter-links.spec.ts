import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  confirmToken,
  confirmUrl,
  readConfirmToken,
  readUnsubscribeToken,
  unsubscribeToken,
  unsubscribeUrl,
} from './newsletter-links.js';

const subscriber = { id: randomUUID(), linkSecret: 'a'.repeat(64) };
const withOtherSecret = { ...subscriber, linkSecret: 'b'.repeat(64) };
const validity = { round: 7, expiresAt: new Date('2026-11-24T12:00:00.123Z') };

describe('a link to unsubscribe', () => {
  test('contains the subscriber’s id, never changes, and is signed with the subscriber’s secret', () => {
    const url = unsubscribeUrl('https://site.example', subscriber);
    expect(unsubscribeUrl('https://site.example', subscriber)).toBe(url);
    expect(url).toMatch(/^https:\/\/site\.example\/unsubscribe\?token=[\w-]{64}$/);
    const claim = readUnsubscribeToken(new URL(url).searchParams.get('token')!)!;
    expect(claim.id).toBe(subscriber.id);
    expect(claim.isGenuine(subscriber)).toBe(true);
    expect(claim.isGenuine(withOtherSecret)).toBe(false);
    expect(claim.isGenuine({ ...subscriber, id: randomUUID() })).toBe(false);
  });

  test('is short enough for a line of a mail’s header', () => {
    // A line may have 998 characters (RFC 5322). The limit of 200 leaves room for longer host names.
    expect(unsubscribeUrl('https://a-rather-long-host.example.com', subscriber).length).toBeLessThan(200);
  });
});

describe('a link to confirm', () => {
  test('contains the subscriber’s id and the link’s validity, and is signed with the subscriber’s secret', () => {
    const url = confirmUrl('https://site.example', subscriber, validity);
    const claim = readConfirmToken(new URL(url).searchParams.get('token')!)!;
    expect(claim).toMatchObject({ id: subscriber.id, validity });
    expect(claim.isGenuine(subscriber)).toBe(true);
    expect(claim.isGenuine(withOtherSecret)).toBe(false);
  });

  test('is not read as a link to unsubscribe, nor the other way round', () => {
    expect(readConfirmToken(unsubscribeToken(subscriber))).toBeUndefined();
    expect(readUnsubscribeToken(confirmToken(subscriber, validity))).toBeUndefined();
  });
});

describe.each([
  ['unsubscribe', unsubscribeToken(subscriber), readUnsubscribeToken],
  ['confirm', confirmToken(subscriber, validity), readConfirmToken],
])('a token to %s', (_name, token, read) => {
  test('that was changed anywhere is invalid', () => {
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      expect(read(changed)?.isGenuine(subscriber) ?? false).toBe(false);
    }
  });

  test.each([
    '',
    ' ',
    'x',
    `${token} `,
    `${token}=`,
    token.slice(1),
    token.slice(0, -1),
    `${token}AAAA`,
    '\0'.repeat(64),
  ])('is not read from %j', (text) => expect(read(text)).toBeUndefined());
});
