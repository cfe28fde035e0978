import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as x509 from '@peculiar/x509';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import { WebhookCertificates } from './webhook-certificates.js';

const now = new Date('2026-11-21T12:00:00Z');
const day = 24 * 3_600_000;
const signer = 'messageverificationcerts.paypal.com';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

interface Party {
  name: string;
  keys: webcrypto.CryptoKeyPair;
}

interface CertificateOptions {
  ca?: boolean;
  from?: number;
  until?: number;
  extensions?: x509.Extension[];
}

async function party(name: string): Promise<Party> {
  return { name, keys: await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) };
}

/** Returns a certificate as PEM. `from` and `until` are in days from now. */
async function issue(subject: Party, issuer: Party, options: CertificateOptions = {}): Promise<string> {
  const { ca = false, from = -30, until = 30, extensions = [] } = options;
  const certificate = await x509.X509CertificateGenerator.create(
    {
      subject: `CN=${subject.name}, O=PayPal`,
      issuer: `CN=${issuer.name}, O=PayPal`,
      notBefore: new Date(now.getTime() + from * day),
      notAfter: new Date(now.getTime() + until * day),
      signingAlgorithm: algorithm,
      publicKey: subject.keys.publicKey,
      signingKey: issuer.keys.privateKey,
      extensions: [new x509.BasicConstraintsExtension(ca, undefined, true), ...extensions],
    },
    webcrypto as unknown as Crypto,
  );
  return `${certificate.toString('pem')}\n`;
}

let root: Party;
let intermediate: Party;
let leaf: Party;
/** Has the name of `intermediate`, but other keys. */
let impostor: Party;
let rootPem: string;
let intermediatePem: string;
let genuine: string;

let server: Server;
let origin: string;
/** The answer of `server` for every path that has no fixed one. */
let answer: { status: number; body: string; location?: string };
/** The paths requested from `server` since the last `newCertificates`. */
let asked: string[];

beforeAll(async () => {
  [root, intermediate, leaf, impostor] = (await Promise.all(
    ['Root', 'Intermediate', signer, 'Intermediate'].map(party),
  )) as [Party, Party, Party, Party];
  rootPem = await issue(root, root, { ca: true });
  intermediatePem = await issue(intermediate, root, { ca: true });
  genuine = await issue(leaf, intermediate);
  server = createServer((request, response) => {
    asked.push(request.url!);
    const fixed = { '/simulated-root.pem': rootPem, '/intermediate.pem': intermediatePem, '/gone.pem': null }[
      request.url!
    ];
    const { status, body, location } =
      fixed === undefined
        ? answer
        : { status: fixed === null ? 404 : 200, body: fixed ?? '', location: undefined };
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server?.close(resolve)));
afterEach(() => {
  jest.restoreAllMocks();
});

function newCertificates() {
  asked = [];
  return new WebhookCertificates({ mode: 'simulator', simulatorUrl: origin, timeoutMs: 2_000 });
}
const address = () => `${origin}/v1/notifications/certs/CERT-1`;

function trustedCertificateIn(body: string, status = 200): Promise<X509Certificate | undefined> {
  answer = { status, body };
  return newCertificates().findTrusted(address(), now);
}

describe('PayPal’s certificate is trusted', () => {
  test('with its chain', async () => {
    expect((await trustedCertificateIn(genuine + intermediatePem))?.raw).toEqual(
      new X509Certificate(genuine).raw,
    );
  });

  test('with its chain in another order, and with the root', async () => {
    expect(await trustedCertificateIn(genuine + rootPem + intermediatePem)).toBeInstanceOf(X509Certificate);
  });

  test('issued by the root itself', async () => {
    expect(await trustedCertificateIn(await issue(leaf, root))).toBeInstanceOf(X509Certificate);
  });

  test('without its issuer, which is fetched from the address in the certificate', async () => {
    const issuerAddress = new x509.AuthorityInfoAccessExtension({ caIssuers: `${origin}/intermediate.pem` });
    expect(
      await trustedCertificateIn(await issue(leaf, intermediate, { extensions: [issuerAddress] })),
    ).toBeInstanceOf(X509Certificate);
  });

  test('and fetched once', async () => {
    answer = { status: 200, body: genuine + intermediatePem };
    const certificates = newCertificates();
    await Promise.all([certificates.findTrusted(address(), now), certificates.findTrusted(address(), now)]);
    await certificates.findTrusted(address(), now);
    expect(asked.sort()).toEqual(['/simulated-root.pem', '/v1/notifications/certs/CERT-1']);
  });
});

describe('not trusted: a certificate', () => {
  test.each<[string, () => Promise<string>]>([
    ['that has expired', async () => (await issue(leaf, intermediate, { until: -1 })) + intermediatePem],
    ['that is not valid yet', async () => (await issue(leaf, intermediate, { from: 1 })) + intermediatePem],
    [
      'of another subject',
      async () => (await issue(await party('www.paypal.com'), intermediate)) + intermediatePem,
    ],
    [
      'of a subject that begins like PayPal’s',
      async () => (await issue(await party(`${signer}.example.com`), intermediate)) + intermediatePem,
    ],
    [
      'of a subject that ends like PayPal’s',
      async () => (await issue(await party(`not${signer}`), intermediate)) + intermediatePem,
    ],
    ['that signed itself', () => issue(leaf, leaf)],
    ['that signed itself and claims to be an authority', () => issue(leaf, leaf, { ca: true })],
    [
      'from an impostor with the issuer’s name',
      async () => (await issue(leaf, impostor)) + (await issue(impostor, impostor, { ca: true })),
    ],
    [
      'signed with a key other than its issuer’s',
      async () => (await issue(leaf, impostor)) + intermediatePem,
    ],
    ['whose issuer is no authority', async () => genuine + (await issue(intermediate, root))],
    [
      'whose issuer has expired',
      async () => genuine + (await issue(intermediate, root, { ca: true, until: -1 })),
    ],
    ['whose issuer is missing', async () => genuine],
    [
      'issued by another leaf',
      async () => {
        const otherLeaf = await party('shop.example.com');
        return (await issue(leaf, otherLeaf)) + (await issue(otherLeaf, intermediate)) + intermediatePem;
      },
    ],
    [
      'that follows a certificate of somebody else',
      async () => (await issue(impostor, root)) + genuine + intermediatePem,
    ],
  ])('%s', async (_what, bundle) => {
    expect(await trustedCertificateIn(await bundle())).toBeUndefined();
  });

  test('that PayPal does not have', async () => {
    expect(await trustedCertificateIn('Not found', 404)).toBeUndefined();
  });

  test.each<[string, () => Promise<Party>, CertificateOptions]>([
    ['that has expired', async () => leaf, { until: -1 }],
    ['of another subject', () => party('www.paypal.com'), {}],
  ])('%s, without fetching its issuer', async (_what, subject, options) => {
    const extensions = [new x509.AuthorityInfoAccessExtension({ caIssuers: `${origin}/gone.pem` })];
    expect(
      await trustedCertificateIn(await issue(await subject(), intermediate, { ...options, extensions })),
    ).toBeUndefined();
    expect(asked).not.toContain('/gone.pem');
  });

  test('that expires after it was fetched', async () => {
    answer = { status: 200, body: genuine + intermediatePem };
    const certificates = newCertificates();
    expect(await certificates.findTrusted(address(), now)).toBeInstanceOf(X509Certificate);
    expect(await certificates.findTrusted(address(), new Date(now.getTime() + 31 * day))).toBeUndefined();
  });
});

describe('nothing is decided, and nothing is kept, if the answer is', () => {
  const block = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
  test.each<[string, typeof answer]>([
    ['an error', { status: 503, body: '' }],
    ['empty', { status: 200, body: '' }],
    ['a page', { status: 200, body: '<html>Sorry</html>' }],
    ['no certificate', { status: 200, body: block('bm90IGEgY2VydGlmaWNhdGU=') }],
    ['too long', { status: 200, body: 'x'.repeat(65 * 1024) }],
    ['a redirect', { status: 302, body: '', location: '/intermediate.pem' }],
  ])('%s', async (_what, wrong) => {
    const certificates = newCertificates();
    answer = wrong;
    await expect(certificates.findTrusted(address(), now)).rejects.toThrow(NoAnswerYet);
    expect(asked).not.toContain('/intermediate.pem');
    answer = { status: 200, body: genuine + intermediatePem };
    expect(await certificates.findTrusted(address(), now)).toBeInstanceOf(X509Certificate);
  });

  test('a certificate that names an address where its issuer’s certificate is missing', async () => {
    const issuerAddress = new x509.AuthorityInfoAccessExtension({ caIssuers: `${origin}/gone.pem` });
    const certificates = newCertificates();
    answer = { status: 200, body: await issue(leaf, intermediate, { extensions: [issuerAddress] }) };
    await expect(certificates.findTrusted(address(), now)).rejects.toThrow(NoAnswerYet);
    answer = { status: 200, body: genuine + intermediatePem };
    expect(await certificates.findTrusted(address(), now)).toBeInstanceOf(X509Certificate);
  });
});

describe('a certificate is fetched only from PayPal’s addresses:', () => {
  const live = 'https://api.paypal.com/v1/notifications/certs/CERT-1';
  const sandbox = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1';

  async function addressesFetched(mode: 'live' | 'sandbox', url: string): Promise<string[]> {
    const fetch = jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => new Response('', { status: 404 }));
    const certificates = new WebhookCertificates({ mode, simulatorUrl: undefined, timeoutMs: 2_000 });
    expect(await certificates.findTrusted(url, now)).toBeUndefined();
    return fetch.mock.calls.map(([input]) => String(input));
  }

  test.each([
    ['live', live],
    ['live', live.replace('api.', 'api-m.')],
    ['sandbox', sandbox],
    ['sandbox', sandbox.replace('api.', 'api-m.')],
  ] as const)('in %s mode, %s', async (mode, url) => {
    expect(await addressesFetched(mode, url)).toEqual([url]);
  });

  test.each([
    ['live', sandbox],
    ['sandbox', live],
    ['live', ''],
    ['live', 'CERT-1'],
    ['live', live.replace('https', 'http')],
    ['live', live.replace('https', 'file')],
    ['live', live.replace('.com', '.com:8443')],
    ['live', live.replace('.com', '.com:443')],
    ['live', live.replace('.com', '.com.')],
    ['live', live.replace('.com', '.com.example.com')],
    ['live', live.replace('api.paypal.com', 'www.paypal.com')],
    ['live', live.replace('api.paypal.com', 'example.com')],
    ['live', live.replace('api.paypal.com', 'evil.api.paypal.com')],
    ['live', live.replace('https://', 'https://api.paypal.com@example.com/')],
    ['live', live.replace('https://', 'https://user:password@')],
    ['live', live.replace('https://', 'https://:password@')],
    ['live', live.replace('https://', 'https://@')],
    ['live', live.replace('/v1/', '/v2/')],
    ['live', live.replace('/v1/', '/v1/../v1/')],
    ['live', live.replace('/certs/', '/certs/../../redirect/')],
    ['live', live.replace('/certs/', '/certs%2f')],
    ['live', live.replace('/v1', '\\v1')],
    ['live', `${live}?to=https://example.com`],
    ['live', `${live}#1`],
    ['live', `${live}/more`],
    ['live', ` ${live}`],
    ['live', `${live}\n`],
    ['live', `${live}${'1'.repeat(101)}`],
  ] as const)('in %s mode, not %s', async (mode, url) => {
    expect(await addressesFetched(mode, url)).toEqual([]);
  });
});
