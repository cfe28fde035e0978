import { createPublicKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { accessTokens, identityContract } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { identityCallOptions } from './live-sessions.js';

/** For this long after an answer, identity is not asked again, however many tokens name unknown keys. */
const minRefetchMs = 5000;

/** Identity's public keys by their id, fetched when a token names one that is not known yet. */
@Injectable()
export class SigningKeys {
  private keys = new Map<string, string>();
  private fetching: Promise<void> | undefined;
  private fetchedAt = -Infinity;

  constructor(private readonly rpc: RpcClient) {}

  /** The key as PEM; undefined if identity did not have it when it was last asked. Rejects when identity does not answer. */
  async find(kid: string): Promise<string | undefined> {
    const known = this.keys.get(kid);
    if (known) return known;
    if (performance.now() - this.fetchedAt > minRefetchMs) {
      await (this.fetching ??= this.fetch().finally(() => (this.fetching = undefined)));
    }
    return this.keys.get(kid);
  }

  private async fetch(): Promise<void> {
    const { keys } = await this.rpc.call(identityContract.keys, {}, identityCallOptions);
    const usable = keys.filter((key) => key.alg === undefined || key.alg === accessTokens.algorithm);
    this.keys = new Map(usable.map((key) => [String(key.kid), pemOf(key)]));
    this.fetchedAt = performance.now();
  }
}

function pemOf(key: Record<string, unknown>): string {
  return createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
}
