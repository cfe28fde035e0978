import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

type JsonObject = Record<string, unknown>;

export interface Deviation {
  origin?: string;
  rpId?: string;
  /** Whether the authenticator claims to have verified its user. Default: true. */
  verified?: boolean;
  /** Default: one more than before. */
  counter?: number;
  challenge?: string;
}

/** WebAuthn, section 6.1. */
const flags = { userPresent: 0x01, userVerified: 0x04, attestedCredentialData: 0x40 };

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** A software authenticator (WebAuthn, section 6): ES256, no attestation, one credential. Its answers can deviate from what the site expects. */
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

  create(options: JsonObject, deviation: Deviation = {}): JsonObject {
    const key = Buffer.concat([
      // In CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(this.point.x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(this.point.y, 'base64url'),
    ]);
    const length = Buffer.from([0, this.id.length]);
    const aaguid = Buffer.alloc(16);
    const attested = Buffer.concat([aaguid, length, this.id, key]);
    const data = this.authenticatorData(deviation, flags.attestedCredentialData, attested);
    const attestation = Buffer.concat([
      // In CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      Buffer.from([data.length >> 8, data.length & 0xff]),
      data,
    ]);
    return this.credential({
      clientDataJSON: this.clientData('webauthn.create', options, deviation),
      attestationObject: attestation,
    });
  }

  get(options: JsonObject, deviation: Deviation = {}): JsonObject {
    const authenticatorData = this.authenticatorData(deviation, 0);
    const clientDataJSON = this.clientData('webauthn.get', options, deviation);
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, sha256(clientDataJSON)]))
      .sign(this.privateKey);
    return this.credential({ clientDataJSON, authenticatorData, signature });
  }

  private credential(response: Record<string, Buffer>): JsonObject {
    const id = this.id.toString('base64url');
    const encoded = Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]);
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(encoded) as JsonObject,
    };
  }

  private clientData(type: string, { challenge }: JsonObject, deviation: Deviation): Buffer {
    const { origin = this.origin } = deviation;
    return Buffer.from(JSON.stringify({ type, challenge: deviation.challenge ?? challenge, origin }));
  }

  private authenticatorData(
    { rpId, verified = true, counter }: Deviation,
    extraFlags: number,
    extraData = Buffer.alloc(0),
  ): Buffer {
    this.counter = counter ?? this.counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    const userFlags = flags.userPresent | (verified ? flags.userVerified : 0);
    return Buffer.concat([
      sha256(rpId ?? new URL(this.origin).hostname),
      Buffer.from([extraFlags | userFlags]),
      count,
      extraData,
    ]);
  }
}
