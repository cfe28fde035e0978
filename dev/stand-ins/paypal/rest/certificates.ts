import { createSign, createVerify, randomBytes, X509Certificate } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { CertificateKind, SavedCertificates } from './make-certificates.js';

/** Shared by all simulators of a process, because RSA keys take about a second to make. */
let shared: Promise<SavedCertificates> | undefined;

async function makeOnce(now: number): Promise<SavedCertificates> {
  const { makeCertificates } = await import('./make-certificates.js');
  return (shared ??= makeCertificates(now, newCertificateId));
}

/**
 * The key that signs webhooks, and its certificates: the genuine one, and one for each `CertificateFault`. Made when they are first needed; they
 * survive a restart.
 */
export class Certificates {
  private current: SavedCertificates | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  get saved(): SavedCertificates | undefined {
    return this.current;
  }

  /** Must be awaited before anything is signed. */
  async prepare(): Promise<SavedCertificates> {
    if (!this.current) {
      this.current = await makeOnce(this.clock.now());
      this.changed();
    }
    return this.current;
  }

  /** Base64 RSA-SHA256, and the id of the certificate for the header `paypal-cert-url`. */
  sign(text: string, kind: CertificateKind): { signature: string; certificateId: string } {
    const { key, bundles } = this.current!;
    return {
      signature: createSign('RSA-SHA256').update(text).sign(key, 'base64'),
      certificateId: bundles[kind].id,
    };
  }

  /** The certificate that is named with the signature must be the genuine one. */
  verify(text: string, signature: string, certificateId: string): boolean {
    if (!this.current || certificateId !== this.current.bundles.genuine.id) return false;
    const { publicKey } = new X509Certificate(this.current.bundles.genuine.pem);
    return createVerify('RSA-SHA256').update(text).verify(publicKey, signature, 'base64');
  }

  findBundle(id: string): string | undefined {
    return Object.values(this.current?.bundles ?? {}).find((bundle) => bundle.id === id)?.pem;
  }

  restore(saved: SavedCertificates | undefined): void {
    this.current = saved;
  }
}

const newCertificateId = () =>
  `CERT-${randomBytes(4).toString('hex')}-${randomBytes(4).toString('hex')}-${randomBytes(4).toString('hex')}`;
