import { setTimeout as wait } from 'node:timers/promises';
import { type CryptoKey, decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import type { GoogleMisbehaviour } from './model.js';

/** A new rule beyond this number replaces all others. */
const maxRules = 1_000;

export class Misbehaviours {
  private readonly rules = new Map<string, GoogleMisbehaviour>();

  /** `key` signs the ID tokens. */
  constructor(private readonly key: CryptoKey) {}

  set(subject: string, how: GoogleMisbehaviour): void {
    if (this.rules.size >= maxRules) this.rules.clear();
    this.rules.set(subject, how);
  }

  forget(subject: string): void {
    this.rules.delete(subject);
  }

  /** Returns the token to send, after any delay. Each call counts towards the rule's `times`. */
  async apply(idToken: string): Promise<string> {
    const claims = decodeJwt(idToken);
    const how = this.take(claims.sub ?? '');
    if (!how) return idToken;
    if (how.delayMs !== undefined) await wait(how.delayMs, undefined, { ref: false });
    if (!how.claims && !how.signature) return idToken;
    const changed = Object.entries({ ...claims, ...how.claims }).filter(([, value]) => value !== null);
    const { alg, kid } = decodeProtectedHeader(idToken);
    const payload = Object.fromEntries(changed);
    if (how.signature === 'none') return unsigned(payload);
    const key = how.signature === 'foreign' ? (await generateKeyPair(alg!)).privateKey : this.key;
    return new SignJWT(payload).setProtectedHeader({ alg: alg!, ...(kid && { kid }) }).sign(key);
  }

  private take(subject: string): GoogleMisbehaviour | undefined {
    const how = this.rules.get(subject);
    if (how?.times !== undefined) {
      if (how.times <= 1) this.rules.delete(subject);
      else this.rules.set(subject, { ...how, times: how.times - 1 });
    }
    return how;
  }
}

function unsigned(payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(payload)}.`;
}
