import 'reflect-metadata';
import { createSign, randomUUID, webcrypto, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as x509 from '@peculiar/x509';
import type { Notification } from '../payment-provider.js';
import { isSignedBy, findSignedWebhook } from './webhook-signature.js';

const now = new Date('2026-11-21T12:00:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;
const webhookId = '5GP028458E2496506';
const body = Buffer.from('{"id":"WH-1","event_type":"CHECKOUT.ORDER.APPROVED"}');

let key: string;
let certificate: X509Certificate;
let otherCertificate: X509Certificate;

beforeAll(async () => {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048 };
  const keyAlgorithm = { ...algorithm, publicExponent: new Uint8Array([1, 0, 1]) };
  const make = async () => {
    const keys = await webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
    const crypto = webcrypto as unknown as Crypto;
    const made = await x509.X509CertificateGenerator.createSelfSigned(
      { name: 'CN=Signer', signingAlgorithm: algorithm, keys },
      crypto,
    );
    const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return {
      key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
      certificate: new X509Certificate(made.toString('pem')),
    };
  };
  const [own, other] = await Promise.all([make(), make()]);
  ({ key, certificate } = own);
  otherCertificate = other.certificate;
});

/** A webhook that is signed like PayPal's. Afterwards, `headers` replaces some of its headers, and `sent` its body. */
function webhook({
  ageMs = 0,
  headers = {},
  sent = body,
}: { ageMs?: number; headers?: Record<string, string | undefined>; sent?: Buffer } = {}): Notification {
  const id = randomUUID();
  const time = new Date(now.getTime() - ageMs).toISOString();
  const signature = createSign('RSA-SHA256').update(`${id}|${time}|${webhookId}|${crc32(body)}`);
  const all: Record<string, string | undefined> = {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signature.sign(key, 'base64'),
    'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
    'paypal-auth-algo': 'SHA256withRSA',
    ...headers,
  };
  const present = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
  return { body: sent, headers: Object.fromEntries(present) };
}

function isGenuine(notification: Notification, { id = webhookId, by = certificate } = {}): boolean {
  const signedWebhook = findSignedWebhook(notification, id, now);
  return signedWebhook !== undefined && isSignedBy(by, signedWebhook);
}

describe('a webhook is genuine', () => {
  test.each([
    ['on time', 0],
    ['three days late', 3 * day],
    ['from a clock that is ahead', -9 * minute],
  ])('%s', (_what, ageMs) => {
    expect(isGenuine(webhook({ ageMs }))).toBe(true);
  });

  test('with an empty body that was signed', () => {
    const empty = Buffer.alloc(0);
    const { headers } = webhook();
    const [id, time] = [headers['paypal-transmission-id'], headers['paypal-transmission-time']];
    const text = `${id}|${time}|${webhookId}|0`;
    const signature = createSign('RSA-SHA256').update(text).sign(key, 'base64');
    expect(isGenuine({ body: empty, headers: { ...headers, 'paypal-transmission-sig': signature } })).toBe(
      true,
    );
  });
});

describe('refused: a webhook', () => {
  const changedBody = Buffer.from(body.toString().replace('WH-1', 'WH-2'));
  test.each<[string, Parameters<typeof webhook>[0]]>([
    ['with one byte changed', { sent: changedBody }],
    ['with an additional space', { sent: Buffer.concat([body, Buffer.from(' ')]) }],
    ['without its last byte', { sent: body.subarray(0, -1) }],
    ['with an empty body', { sent: Buffer.alloc(0) }],
    ['that is five days old', { ageMs: 5 * day }],
    ['that is eleven minutes ahead', { ageMs: -11 * minute }],
    ['with an invalid time', { headers: { 'paypal-transmission-time': 'now' } }],
    [
      'with the time spelled differently',
      { headers: { 'paypal-transmission-time': now.toISOString().replace('.000', '') } },
    ],
    ['with another transmission id', { headers: { 'paypal-transmission-id': randomUUID() } }],
    ['with another algorithm', { headers: { 'paypal-auth-algo': 'SHA1withRSA' } }],
    ['with the algorithm "none"', { headers: { 'paypal-auth-algo': 'none' } }],
    ['with an empty signature', { headers: { 'paypal-transmission-sig': '' } }],
    ['with an invalid signature', { headers: { 'paypal-transmission-sig': '<script>' } }],
    ...[
      ...['paypal-transmission-id', 'paypal-transmission-time', 'paypal-transmission-sig'],
      ...['paypal-cert-url', 'paypal-auth-algo'],
    ].map((name): [string, Parameters<typeof webhook>[0]] => [
      `without ${name}`,
      { headers: { [name]: undefined } },
    ]),
  ])('%s', (_what, changes) => {
    expect(isGenuine(webhook(changes))).toBe(false);
  });

  test('that is signed for a webhook id other than the configured one, or while none is configured', () => {
    expect(isGenuine(webhook(), { id: 'WEBHOOK_ID' })).toBe(false);
    expect(isGenuine(webhook(), { id: '' })).toBe(false);
  });

  test('that is signed with another key than the certificate’s', () => {
    expect(isGenuine(webhook(), { by: otherCertificate })).toBe(false);
  });
});
