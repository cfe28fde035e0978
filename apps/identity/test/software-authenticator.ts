import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

type Options = Record<string, unknown>;

interface Deviation {
  origin?: string;
  rpId?: string;
  /** Whether it claims to have verified its user. Default true. */
  verified?: boolean;
  /** The signature counter that it reports. Default: one more than before. */
  counter?: number;
  challenge?: string;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

/**
 * A software authenticator (WebAuthn, section 6): ES256, no attestation, one credential. It deviates from the
 * standard on request.
 */
export class SoftwareAuthenticator {
  readonly id = randomBytes(16);
  counter = 0;
  private readonly privateKey: KeyObject;
  private readonly point: { x: string; y: string };

  constructor(private readonly origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = privateKey;
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.point = { x: x!, y: y! };
  }

  create(options: Options, deviation: Deviation = {}): Options {
    const key = Buffer.concat([
      // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(this.point.x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(this.point.y, 'base64url'),
    ]);
    const length = Buffer.from([0, this.id.length]);
    const data = this.data(deviation, 0x40, Buffer.concat([Buffer.alloc(16), length, this.id, key]));
    const attestation = Buffer.concat([
      // {"fmt": "none", "attStmt": {}, "authData": bytes}
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      Buffer.from([data.length >> 8, data.length & 0xff]),
      data,
    ]);
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', options, deviation),
      attestationObject: attestation,
    });
  }

  get(options: Options, deviation: Deviation = {}): Options {
    const authenticatorData = this.data(deviation, 0);
    const clientDataJSON = this.clientData('webauthn.get', options, deviation);
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, sha256(clientDataJSON)]))
      .sign(this.privateKey);
    return this.answer({ clientDataJSON, authenticatorData, signature });
  }

  private answer(response: Record<string, Buffer>): Options {
    const id = this.id.toString('base64url');
    const encoded = Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]);
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(encoded) as Options,
    };
  }

  private clientData(type: string, { challenge }: Options, deviation: Deviation): Buffer {
    const { origin = this.origin } = deviation;
    return Buffer.from(JSON.stringify({ type, challenge: deviation.challenge ?? challenge, origin }));
  }

  private data({ rpId, verified = true, counter }: Deviation, flags: number, more = Buffer.alloc(0)): Buffer {
    this.counter = counter ?? this.counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    const present = 0x01 | (verified ? 0x04 : 0);
    return Buffer.concat([
      sha256(rpId ?? new URL(this.origin).hostname),
      Buffer.from([flags | present]),
      count,
      more,
    ]);
  }
}
