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
/** Only the sessions that identity was asked about most recently are remembered. */
const maxRemembered = 10_000;

/**
 * Options for calls to identity when a request is authenticated. The deadline is shorter than that of most calls (10 s), but longer than the 2 to
 * 2.5 s after which another replica takes over from one that died.
 */
export const identityCallOptions = { actor: system, deadlineMs: 5000 };

/** The holder of a session, and until when their sign-in counts as fresh (ISO 8601). */
export interface Holder {
  account: Account;
  freshUntil?: string;
}

/** A person who is signed in. */
export type Person = Extract<Actor, { accountId: string }>;

/** The holder of a session, as the actor of their calls. */
export function actorOf({ account, freshUntil }: Holder, sessionId: string): Person {
  const { id, email, emailVerified, role, needsSecondFactor } = account;
  return {
    // For every service, an admin without the required second factor is a customer.
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

/**
 * Finds the holder of a session. It asks identity, and remembers the answer for at most a second. If identity does not answer, the call
 * fails: an older answer is never used.
 */
@Injectable()
export class LiveSessions implements OnApplicationBootstrap {
  private readonly remembered = new Map<string, Remembered>();
  private readonly asking = new Map<string, Promise<Holder | null>>();
  /** Increases whenever something is forgotten. Answers that were requested earlier are then not remembered. */
  private epoch = 0;

  constructor(
    private readonly rpc: RpcClient,
    private readonly broadcaster: Broadcaster,
  ) {}

  /** Forgets immediately what identity announces as changed. */
  onApplicationBootstrap(): void {
    const follow = (channel: BroadcastChannel, listener: BroadcastListener) => {
      // Broadcasts are only hints: without them, what is remembered still expires after a second.
      this.broadcaster.subscribe(channel, listener).catch(() => undefined);
    };
    follow(broadcasts.sessionsEnded, (ended) => this.forgetEnded(ended));
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
      // After the cache was cleared, another request may be under way.
      if (this.asking.get(sessionId) === answer) this.asking.delete(sessionId);
    });
    this.asking.set(sessionId, answer);
    return answer;
  }

  /** Forgets everything, after a change that may concern any of the remembered sessions. */
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

  private forgetEnded({ sessionIds, accountId }: { sessionIds?: unknown; accountId?: unknown }): void {
    if (Array.isArray(sessionIds)) for (const id of sessionIds) this.forget(String(id));
    // Which of the remembered sessions belong to the account is not indexed, so all are forgotten.
    if (typeof accountId === 'string') this.clearCache();
  }
}
