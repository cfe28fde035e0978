import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { CertificateFault } from '../model.js';

export type CertificateKind = 'genuine' | CertificateFault;

export interface SavedCertificates {
  /** PEM of the root that signed the intermediate certificate. */
  root: string;
  /** PEM of the private key that all leaf certificates share. */
  key: string;
  /** The leaf certificate, then the intermediate one, which 'no chain' leaves out. */
  bundles: Record<CertificateKind, { id: string; pem: string }>;
}

const day = 24 * 3_600_000;
const year = 365 * day;
const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
/** The name in the certificate that signs PayPal's webhooks. */
const host = 'messageverificationcerts.paypal.com';

type Keys = webcrypto.CryptoKeyPair;
interface Issuer {
  name: string;
  keys: Keys;
}

const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

/** Makes a genuine bundle, whose leaf is for PayPal's host, and one bundle for each fault. */
export async function makeCertificates(now: number, newId: () => string): Promise<SavedCertificates> {
  const crypto = webcrypto as unknown as Crypto;
  const [rootKeys, intermediateKeys, leafKeys, untrustedKeys] = await Promise.all([
    newKeys(),
    newKeys(),
    newKeys(),
    newKeys(),
  ]);

  const issue = (subject: string, keys: Keys, issuer: Issuer, extensions: x509.Extension[], until: number) =>
    x509.X509CertificateGenerator.create(
      {
        subject: `CN=${subject}, O=PayPal simulator`,
        issuer: `CN=${issuer.name}, O=PayPal simulator`,
        notBefore: new Date(now - year),
        notAfter: new Date(until),
        signingAlgorithm: algorithm,
        publicKey: keys.publicKey,
        signingKey: issuer.keys.privateKey,
        extensions,
      },
      crypto,
    ).then((certificate) => certificate.toString('pem'));
  const issueAuthority = (name: string, keys: Keys, issuer: Issuer) =>
    issue(name, keys, issuer, authorityExtensions(), now + 20 * year);
  const issueLeaf = (name: string, issuer: Issuer, until = now + 10 * year) =>
    issue(name, leafKeys, issuer, leafExtensions(name), until);

  const root = { name: 'Simulated root', keys: rootKeys };
  const intermediate = { name: 'Simulated intermediate', keys: intermediateKeys };
  // Has the trusted root's name, so that only its keys are wrong. The intermediate that it signs has the same keys.
  const untrustedRoot = { name: 'Simulated root', keys: untrustedKeys };
  const intermediatePem = await issueAuthority(intermediate.name, intermediateKeys, root);
  const untrustedIntermediatePem = await issueAuthority(intermediate.name, untrustedKeys, untrustedRoot);
  const genuineLeaf = await issueLeaf(host, intermediate);
  const pemParts: Record<CertificateKind, string[]> = {
    genuine: [genuineLeaf, intermediatePem],
    'other host': [await issueLeaf('messageverificationcerts.example.com', intermediate), intermediatePem],
    expired: [await issueLeaf(host, intermediate, now - day), intermediatePem],
    'not trusted': [
      await issueLeaf(host, { ...intermediate, keys: untrustedKeys }),
      untrustedIntermediatePem,
    ],
    'no chain': [genuineLeaf],
  };
  const bundles = Object.fromEntries(
    Object.entries(pemParts).map(([kind, parts]) => [kind, { id: newId(), pem: `${parts.join('\n')}\n` }]),
  ) as SavedCertificates['bundles'];
  const key = await webcrypto.subtle.exportKey('pkcs8', leafKeys.privateKey);
  return {
    root: `${await issueAuthority(root.name, rootKeys, root)}\n`,
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
    bundles,
  };
}

const authorityExtensions = () => [
  new x509.BasicConstraintsExtension(true, undefined, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
];

const leafExtensions = (name: string) => [
  new x509.BasicConstraintsExtension(false, undefined, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
  new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
];
