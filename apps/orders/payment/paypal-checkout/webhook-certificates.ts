import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { askProvider, NoAnswerYet } from '../../provider-request/provider-request.js';
import type { PaypalMode } from '../paypal/paypal.settings.js';

interface Options {
  mode: PaypalMode;
  /** Required in simulator mode. */
  simulatorUrl: string | undefined;
  timeoutMs: number;
}

/** PayPal's hosts for certificates. Any other address may belong to somebody who signs forged webhooks. */
const hosts: Record<Exclude<PaypalMode, 'simulator'>, readonly string[]> = {
  live: ['api.paypal.com', 'api-m.paypal.com'],
  sandbox: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
};
const path = /^\/v1\/notifications\/certs\/[A-Za-z0-9-]{1,100}$/;
const signerName = /^messageverificationcerts\.(?:sandbox\.)?paypal\.com$/;

const maxCertificateBytes = 64 * 1024;
/** More than enough: PayPal changes its certificate about once a year. */
const maxKeptChains = 16;
/** The longest chain without its root, and the most certificates that are read from one file. */
const maxChainLength = 5;

class MissingCertificate extends NoAnswerYet {
  constructor(readonly url: string) {
    super('there is no such certificate');
  }
}

/**
 * Certificates are fetched once and kept. One is trusted if its address is PayPal's, it is valid now and names PayPal's signer, and a chain leads
 * from it to a root. The roots are Node's, or in simulator mode the simulator's own.
 */
export class WebhookCertificates {
  private readonly chains = new Map<string, Promise<readonly X509Certificate[]>>();
  private simulatedRoot: Promise<readonly X509Certificate[]> | undefined;

  constructor(private readonly options: Options) {}

  /** Undefined for a certificate that must not be trusted. Throws NoAnswerYet if one cannot be fetched now. */
  async findTrusted(url: string, now: Date): Promise<X509Certificate | undefined> {
    if (!this.isPaypalsAddress(url)) return undefined;
    const [certificate, ...others] = await this.chainAt(url, now).catch((error: unknown) => {
      // A certificate that PayPal does not have is not trusted. An issuer's certificate comes from another company: if only that one is missing, we
      // try again later.
      if (error instanceof MissingCertificate && error.url === url) return [];
      throw error;
    });
    if (!certificate || !namesSigner(certificate) || !isValid(certificate, now)) return undefined;
    return isTrusted(certificate, others, await this.roots(), now) ? certificate : undefined;
  }

  /** Compares the text instead of the parsed address, because other spellings of the same address would be fetched and kept once more. */
  private isPaypalsAddress(text: string): boolean {
    const { mode, simulatorUrl } = this.options;
    const origins =
      mode === 'simulator' ? [new URL(simulatorUrl!).origin] : hosts[mode].map((host) => `https://${host}`);
    return origins.some((origin) => text.startsWith(origin) && path.test(text.slice(origin.length)));
  }

  /**
   * If PayPal leaves out the last intermediate certificate, it is fetched, too. It is not fetched if the first certificate cannot be trusted
   * anyway: anybody can name one of PayPal's former certificates, and the certificate of its issuer may no longer be available.
   */
  private chainAt(url: string, now: Date): Promise<readonly X509Certificate[]> {
    return this.loadOnce(url, async () => {
      const chain = certificatesIn(await this.fetch(url));
      const [certificate] = chain;
      if (!certificate || !namesSigner(certificate) || hasExpired(certificate, now)) return chain;
      const last = chain.at(-1);
      const roots = await this.roots();
      const isComplete = last === undefined || roots.some((root) => last.checkIssued(root));
      const issuerUrl = isComplete ? undefined : issuerUrlOf(last);
      return issuerUrl === undefined ? chain : [...chain, ...certificatesIn(await this.fetch(issuerUrl))];
    });
  }

  private loadOnce(url: string, load: () => Promise<readonly X509Certificate[]>) {
    const known = this.chains.get(url);
    if (known) return known;
    const loading = load();
    this.chains.set(url, loading);
    // A failure is not kept: the next webhook tries again.
    loading.catch(() => this.chains.delete(url));
    for (const oldest of this.chains.keys()) {
      if (this.chains.size <= maxKeptChains) break;
      this.chains.delete(oldest);
    }
    return loading;
  }

  private async roots(): Promise<readonly X509Certificate[]> {
    const { mode, simulatorUrl } = this.options;
    if (mode !== 'simulator') return trustedRoots();
    this.simulatedRoot ??= this.fetch(`${simulatorUrl}/simulated-root.pem`).then(certificatesIn);
    this.simulatedRoot.catch(() => (this.simulatedRoot = undefined));
    return this.simulatedRoot;
  }

  private async fetch(url: string): Promise<Buffer> {
    const { timeoutMs } = this.options;
    const { status, body } = await askProvider({
      method: 'GET',
      url,
      timeoutMs,
      maxBytes: maxCertificateBytes,
    });
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw new MissingCertificate(url);
    if (status !== 200) throw new NoAnswerYet(`the certificate could not be fetched (status ${status})`);
    return body;
  }
}

/** Parsed only when a webhook comes. */
let parsedRoots: readonly X509Certificate[] | undefined;
function trustedRoots(): readonly X509Certificate[] {
  parsedRoots ??= rootCertificates.map((text) => new X509Certificate(text));
  return parsedRoots;
}

const pem = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** From a PEM bundle or one DER file. Skips what cannot be parsed, and throws NoAnswerYet if nothing else is there. */
function certificatesIn(file: Buffer): readonly X509Certificate[] {
  const texts: (string | Buffer)[] = file.toString('latin1').match(pem)?.slice(0, maxChainLength) ?? [file];
  const certificates = texts.flatMap((text) => {
    try {
      return [new X509Certificate(text)];
    } catch {
      return [];
    }
  });
  if (certificates.length === 0) throw new NoAnswerYet('the answer contains no certificate');
  return certificates;
}

/** Where the issuer publishes its certificate (RFC 5280, 4.2.2.1). Undefined for a self-issued certificate, or if no address is given. */
function issuerUrlOf(certificate: X509Certificate): string | undefined {
  if (certificate.checkIssued(certificate)) return undefined;
  return /^CA Issuers - URI:(https?:\/\/\S+)$/m.exec(certificate.infoAccess ?? '')?.[1];
}

function namesSigner(certificate: X509Certificate): boolean {
  const commonName = /^CN=(.+)$/m.exec(certificate.subject)?.[1] ?? '';
  return signerName.test(commonName);
}

/** Parses the texts, because Node 20 has no `validFromDate`. */
function isValid(certificate: X509Certificate, now: Date): boolean {
  return Date.parse(certificate.validFrom) <= now.getTime() && !hasExpired(certificate, now);
}

function hasExpired({ validTo }: X509Certificate, now: Date): boolean {
  return Date.parse(validTo) < now.getTime();
}

/** `checkIssued` does not verify the signature, so `verify` does. */
function isTrusted(
  certificate: X509Certificate,
  others: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: Date,
): boolean {
  let current = certificate;
  for (let steps = 0; steps < maxChainLength; steps += 1) {
    const isIssuer = (issuer: X509Certificate) =>
      issuer.ca && isValid(issuer, now) && current.checkIssued(issuer) && current.verify(issuer.publicKey);
    if (roots.some(isIssuer)) return true;
    const issuer = others.find(isIssuer);
    if (!issuer) return false;
    current = issuer;
  }
  return false;
}
