import { DomainError, type ErrorCode, type Output, threadContract } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { actorOf, type LiveSessions, type Person } from '../auth/live-sessions.js';
import type { EventStream } from './event-stream.js';

const entriesAtOnce = 50;

export interface FollowedThread {
  projectId: string;
  asStaff: boolean;
}

export type ThreadPart = Output<typeof threadContract.getThread | typeof threadContract.getStaffThread>;
/** The latest change of a thread, and how far its reader and the others have read. */
export type ThreadPosition = NonNullable<Output<typeof threadContract.getThreadPositions>[number]>;

/** After these errors, the reader may no longer read the thread, so the stream ends. After others, it stays open, because an outage may pass. */
const refusals: readonly ErrorCode[] = ['NOT_FOUND', 'FORBIDDEN', 'UNAUTHENTICATED', 'SESSION_ENDED'];

/** Reads on behalf of this person: each time, the service checks what they may read. */
export function readPart(
  rpc: RpcClient,
  { projectId: id, asStaff }: FollowedThread,
  range: { after?: number; limit: number },
  actor: Person,
): Promise<ThreadPart> {
  const contract = asStaff ? threadContract.getStaffThread : threadContract.getThread;
  return rpc.call(contract, { id, ...range }, { actor });
}

export class ThreadStream {
  private reading: Promise<void> | undefined;
  private isDue = false;
  private confirmedAt = performance.now();

  constructor(
    readonly thread: FollowedThread,
    readonly reader: Person,
    /** The thread's position when the reader was last sent something. */
    private sent: ThreadPosition,
    private readonly events: EventStream,
    private readonly rpc: RpcClient,
    private readonly sessions: LiveSessions,
  ) {}

  /** Milliseconds since it was last confirmed that the reader may still read the thread. */
  get unconfirmedMs(): number {
    return performance.now() - this.confirmedAt;
  }

  end(): void {
    this.events.end();
  }

  async begin(first: ThreadPart): Promise<void> {
    await this.events.send(first.change, first);
    await this.refresh();
  }

  /** Sends what is new, if the reader may still read the thread. A call during a run causes one more run. */
  refresh(): Promise<void> {
    this.isDue = true;
    return (this.reading ??= this.readWhileDue());
  }

  /**
   * Ends the stream if the reader's session has ended, or if they may no longer read the thread (then `position` is null). Otherwise refreshes if the
   * thread's position differs from what was sent last.
   */
  async refreshIfChanged(position: ThreadPosition | null): Promise<void> {
    if (position === null) return this.end();
    if ((await this.currentReader()) === null) return this.end();
    this.confirmedAt = performance.now();
    if (!isSame(position, this.sent)) await this.refresh();
  }

  private async readWhileDue(): Promise<void> {
    try {
      while (this.isDue && this.events.isOpen) {
        this.isDue = false;
        await this.readNews();
      }
    } catch (error) {
      if (!(error instanceof DomainError) || !refusals.includes(error.code)) throw error;
      this.end();
    } finally {
      // If `reading` were reset only after the promise has settled, a call of `refresh` just before the reset would cause no run.
      this.reading = undefined;
    }
  }

  private async readNews(): Promise<void> {
    const actor = await this.currentReader();
    if (!actor) return this.end();
    const { change: after } = this.sent;
    const part = await readPart(this.rpc, this.thread, { after, limit: entriesAtOnce }, actor);
    this.confirmedAt = performance.now();
    if (part.entries.length > 0 || !isSame(part, this.sent)) {
      await this.events.send(part.change, part);
      this.sent = part;
    }
    if (part.hasLater) this.isDue = true;
  }

  /** Null if the session has ended, or if the reader reads as staff and is no longer an admin. */
  private async currentReader(): Promise<Person | null> {
    const { sessionId, accountId } = this.reader;
    const holder = await this.sessions.findHolder(sessionId);
    if (holder?.account.id !== accountId) return null;
    const actor = actorOf(holder, sessionId);
    return this.thread.asStaff && actor.role !== 'admin' ? null : actor;
  }
}

function isSame(one: ThreadPosition, other: ThreadPosition): boolean {
  return (
    one.change === other.change && one.readSeq === other.readSeq && one.othersReadSeq === other.othersReadSeq
  );
}
