import { createPublicKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { accessTokens, identityContract } from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { RpcClient } from '#libs/transport';
import { identityCallOptions } from './live-sessions.js';

/** For this long after an answer, unknown keys cause no fetch, however many tokens name them. */
const minRefetchMs = 5000;
/** Known keys are fetched again after this time, so that a withdrawn key is soon refused. */
const refreshMs = 60_000;

@Injectable()
export class SigningKeys {
  private keys = new Map<string, string>();
  private fetching: Promise<void> | undefined;
  private askedAt = -Infinity;
  private answeredAt = -Infinity;

  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /**
   * The key as PEM; undefined if identity did not have it at the last fetch. Rejects if the key is unknown and identity does not answer. Known keys
   * stay valid while identity is down.
   */
  async find(kid: string): Promise<string | undefined> {
    const now = this.clock.now().getTime();
    const known = this.keys.get(kid);
    if (known === undefined && now - this.answeredAt > minRefetchMs) await this.fetch();
    if (known !== undefined && now - this.askedAt > refreshMs) this.fetch().catch(() => undefined);
    return known ?? this.keys.get(kid);
  }

  private fetch(): Promise<void> {
    return (this.fetching ??= this.fetchOnce().finally(() => (this.fetching = undefined)));
  }

  private async fetchOnce(): Promise<void> {
    this.askedAt = this.clock.now().getTime();
    const { keys } = await this.rpc.call(identityContract.keys, {}, identityCallOptions);
    const usable = keys.filter((key) => key.alg === undefined || key.alg === accessTokens.algorithm);
    this.keys = new Map(usable.map((key) => [String(key.kid), pemOf(key)]));
    this.answeredAt = this.clock.now().getTime();
  }
}

function pemOf(key: Record<string, unknown>): string {
  return createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
}
