import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const SEALED = 'sealed:v1:';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps private keys unreadable to whoever has only the database (a backup, say): AES-256-GCM under a key derived
 * from `KEY_ENCRYPTION_SECRET`. Without that setting keys are stored as they are, and the database is the secret.
 */
export class SecretSealer {
  private readonly key: Buffer | null;

  /** `secret`: at least 32 characters of randomness; it is stretched by HKDF, which adds no strength to a weak one. What is sealed for one `purpose` opens for no other. */
  constructor(secret: string | undefined, purpose = 'identity signing keys') {
    this.key = secret ? Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)) : null;
  }

  seal(privateKey: string): string {
    if (!this.key) return privateKey;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv);
    const sealed = Buffer.concat([cipher.update(privateKey, 'utf8'), cipher.final()]);
    return SEALED + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** A key stored before the secret was configured opens too. */
  open(stored: string): string {
    if (!stored.startsWith(SEALED)) return stored;
    if (!this.key) {
      throw new Error(
        'A key is stored encrypted: set KEY_ENCRYPTION_SECRET to the secret it was stored with.',
      );
    }
    const bytes = Buffer.from(stored.slice(SEALED.length), 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      return (
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    } catch {
      throw new Error('KEY_ENCRYPTION_SECRET does not open a stored key: it was stored with another secret.');
    }
  }
}
