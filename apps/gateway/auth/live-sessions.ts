import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  type Account,
  type Actor,
  type BroadcastChannel,
  broadcasts,
  identityContract,
  system,
} from '#libs/contracts';
import { Broadcaster, type BroadcastListener, RpcClient } from '#libs/transport';

/** Every gateway notices an ended session or a removed admin within this time. */
const rememberMs = 1000;
const maxRemembered = 10_000;

/** Shorter than the default deadline (10 s), but long enough for another replica to take over from one that died (after 2 to 2.5 s). */
export const identityCallOptions = { actor: system, deadlineMs: 5000 };

export interface Holder {
  account: Account;
  freshUntil?: string;
}

export type Person = Extract<Actor, { accountId: string }>;

export function actorOf({ account, freshUntil }: Holder, sessionId: string): Person {
  const { id, email, emailVerified, role, needsSecondFactor } = account;
  return {
    // Without the required second factor, an admin is a customer.
    role: role === 'Admin' && !needsSecondFactor ? 'admin' : 'customer',
    accountId: id,
    email,
    emailVerified,
    sessionId,
    ...(freshUntil !== undefined && { freshUntil }),
    ...(needsSecondFactor && { needsSecondFactor }),
  };
}

interface Remembered {
  holder: Holder | null;
  until: number;
}

/** Finds the holder of a session. If identity does not answer, the call fails: an answer that has expired is never used. */
@Injectable()
export class LiveSessions implements OnApplicationBootstrap {
  private readonly remembered = new Map<string, Remembered>();
  private readonly asking = new Map<string, Promise<Holder | null>>();
  /** Increases whenever something is forgotten. An answer that was requested earlier is then not remembered. */
  private epoch = 0;

  constructor(
    private readonly rpc: RpcClient,
    private readonly broadcaster: Broadcaster,
  ) {}

  onApplicationBootstrap(): void {
    const follow = (channel: BroadcastChannel, listener: BroadcastListener) => {
      // If this fails, answers merely stay remembered until they expire.
      this.broadcaster.subscribe(channel, listener).catch(() => undefined);
    };
    follow(broadcasts.sessionsEnded, (changed) => this.forgetChanged(changed));
    follow(broadcasts.adminsChanged, () => this.clearCache());
    this.broadcaster.onReconnect(() => this.clearCache());
  }

  /** Null when the session has ended. */
  async findHolder(sessionId: string): Promise<Holder | null> {
    const known = this.remembered.get(sessionId);
    if (known && known.until > performance.now()) return known.holder;
    const asked = this.asking.get(sessionId);
    if (asked) return asked;
    const answer = this.ask(sessionId).finally(() => {
      // After `forget` or `clearCache`, the map may hold a newer call.
      if (this.asking.get(sessionId) === answer) this.asking.delete(sessionId);
    });
    this.asking.set(sessionId, answer);
    return answer;
  }

  clearCache(): void {
    this.epoch += 1;
    this.asking.clear();
    this.remembered.clear();
  }

  private forget(sessionId: string): void {
    this.epoch += 1;
    this.asking.delete(sessionId);
    this.remembered.delete(sessionId);
  }

  private async ask(sessionId: string): Promise<Holder | null> {
    const { epoch } = this;
    const started = performance.now();
    const { account, freshUntil } = await this.rpc.call(
      identityContract.session,
      { sessionId },
      identityCallOptions,
    );
    const holder = account && { account, ...(freshUntil !== null && { freshUntil }) };
    if (epoch === this.epoch) this.remember(sessionId, { holder, until: started + rememberMs });
    return holder;
  }

  private remember(sessionId: string, entry: Remembered): void {
    this.remembered.delete(sessionId);
    this.remembered.set(sessionId, entry);
    if (this.remembered.size > maxRemembered) {
      const [oldest] = this.remembered.keys();
      this.remembered.delete(oldest!);
    }
  }

  /** Forgets sessions that have ended or become fresh. */
  private forgetChanged({ sessionIds, accountId }: { sessionIds?: unknown; accountId?: unknown }): void {
    if (Array.isArray(sessionIds)) for (const id of sessionIds) this.forget(String(id));
    // Sessions are not indexed by account, so all are forgotten.
    if (typeof accountId === 'string') this.clearCache();
  }
}
