import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const prefix = 'sealed:v1:';
const ivBytes = 12;
const tagBytes = 16;

/** The HKDF labels of the keys: what is sealed for one purpose cannot be opened for another. */
const labels = { signingKey: 'identity signing keys', totp: 'authenticator apps' };
export type SealPurpose = keyof typeof labels;

/**
 * Protects stored secrets from somebody who has only the database or a backup of it: AES-256-GCM under keys derived from `KEY_ENCRYPTION_SECRET`.
 * Without that setting, secrets are stored unencrypted.
 */
export class SecretSealer {
  /** At least 32 random characters: HKDF does not make a weak secret stronger. */
  constructor(private readonly secret: string | undefined) {}

  seal(purpose: SealPurpose, text: string): string {
    if (!this.secret) return text;
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', keyFor(this.secret, purpose), iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return prefix + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Returns text that was stored unencrypted as it is. For encrypted text, throws an error that names the setting if it is missing or wrong. */
  open(purpose: SealPurpose, stored: string): string {
    if (!stored.startsWith(prefix)) return stored;
    if (!this.secret) {
      throw new Error(
        'A stored key or authenticator secret is encrypted: set KEY_ENCRYPTION_SECRET to the secret that it was encrypted with.',
      );
    }
    const bytes = Buffer.from(stored.slice(prefix.length), 'base64');
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyFor(this.secret, purpose),
      bytes.subarray(0, ivBytes),
    );
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    try {
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new Error(
        'KEY_ENCRYPTION_SECRET does not open a stored key or authenticator secret, which was encrypted with another secret.',
      );
    }
  }
}

function keyFor(secret: string, purpose: SealPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', labels[purpose], 32));
}
