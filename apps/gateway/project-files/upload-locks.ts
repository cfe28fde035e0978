import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import { broadcasts } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import {
  answerOrReopen,
  Broadcaster,
  closeConnection,
  type Connection,
  createConnection,
} from '#libs/transport';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';

/** How long a lock outlives a gateway that was killed, in milliseconds. */
const leaseMs = 5_000;
const renewMs = 1_000;
const retryMs = 100;
/** Longer than a lease, so that the uploads of a killed gateway continue at the first attempt. */
const maxWaitMs = 8_000;

/**
 * Runs a command on a lock if its value is the given token. It is one script, because a process that is suspended between reading and changing could
 * change the lock of another request. The lock's key is an argument, because the gateway's Redis rules forbid a script to name it in `KEYS`.
 */
const ifHeldScript = `
if redis.call('GET', ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call(ARGV[3], ARGV[1], unpack(ARGV, 4))`;

interface HeldLock {
  id: string;
  token: string;
  onWanted: () => void;
  requestRelease: RequestRelease;
  renewal: NodeJS.Timeout;
}

/**
 * Lets one request at a time read or write an upload, across all gateways. A waiting request asks the holder of the lock to end, because the holder's
 * connection may be dead.
 */
@Injectable()
export class UploadLocks implements Locker, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly redis: Connection;
  private readonly held = new Set<HeldLock>();

  constructor(
    @Inject(GATEWAY_CONFIG) { REDIS_URL }: GatewayConfig,
    @Inject(LOGGER) logger: Logger,
    private readonly broadcaster: Broadcaster,
  ) {
    this.redis = createConnection(REDIS_URL, 'gateway:uploads', logger);
    broadcaster
      .subscribe(broadcasts.uploadWanted, ({ id }) => {
        for (const held of this.held)
          if (held.id === id) {
            held.onWanted();
            void held.requestRelease();
          }
      })
      // If this fails, a waiting request waits until the holder ends by itself, or gives up.
      .catch(() => undefined);
  }

  onApplicationBootstrap(): void {
    void this.redis.connect().catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    for (const { renewal } of this.held) clearInterval(renewal);
    await closeConnection(this.redis);
  }

  /** `onWanted` is called when another request asks for the lock, but not when the lock was lost (see `renew`). */
  newLock(id: string, onWanted: () => void = () => {}): Lock {
    let held: HeldLock | undefined;
    return {
      lock: async (signal, requestRelease) => {
        held = await this.acquire(id, signal, { onWanted, requestRelease });
      },
      unlock: async () => {
        if (held) await this.release(held);
      },
    };
  }

  /**
   * Rejects with ERR_LOCK_TIMEOUT if the request is aborted or the lock does not become free within `maxWaitMs`. Rejects with another error while
   * Redis is unreachable.
   */
  private async acquire(
    id: string,
    signal: AbortSignal,
    callbacks: Pick<HeldLock, 'onWanted' | 'requestRelease'>,
  ): Promise<HeldLock> {
    const token = randomUUID();
    const deadline = performance.now() + maxWaitMs;
    const take = () =>
      this.redis.set(keyOf(id), token, { condition: 'NX', expiration: { type: 'PX', value: leaseMs } });
    while ((await answerOrReopen(this.redis, take())) === null) {
      if (signal.aborted || performance.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT;
      await this.broadcaster.publish(broadcasts.uploadWanted, { id });
      await pause(retryMs);
    }
    const renewal = setInterval(() => void this.renew(held), renewMs);
    renewal.unref();
    const held: HeldLock = { id, token, ...callbacks, renewal };
    this.held.add(held);
    return held;
  }

  /** If the lock was lost, for example because this process was suspended for too long, asks the request that held it to end. */
  private async renew(held: HeldLock): Promise<void> {
    try {
      const isRenewed = await this.runIfHeld(held, 'PEXPIRE', String(leaseMs));
      if (!isRenewed) await held.requestRelease();
    } catch {
      // The next renewal tries again before the lease ends.
    }
  }

  private async release(held: HeldLock): Promise<void> {
    clearInterval(held.renewal);
    this.held.delete(held);
    // If it fails, the lock expires by itself.
    await this.runIfHeld(held, 'DEL').catch(() => undefined);
  }

  /** Resolves with whether the request still held the lock and the command changed it. */
  private async runIfHeld({ id, token }: HeldLock, ...command: string[]): Promise<boolean> {
    const reply = this.redis.eval(ifHeldScript, { arguments: [keyOf(id), token, ...command] });
    return (await answerOrReopen(this.redis, reply)) === 1;
  }
}

const keyOf = (id: string) => `gateway:upload:${id}`;
