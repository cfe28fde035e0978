import type { StaffThreadEntry } from '#libs/contracts';
import type { Problem } from '../../lib/api.js';
import type { ThreadCalls } from './thread-calls.js';
import {
  threadFrom,
  type ThreadPart,
  type ThreadState,
  withChanges,
  withEarlier,
  withEntries,
} from './thread-state.js';

export interface FollowedThread<E> {
  /** Undefined until the thread has been read, and when this person may no longer read it. */
  state: ThreadState<E> | undefined;
  problem: Problem | undefined;
  /** Live updates are interrupted, and are being resumed. */
  isReconnecting: boolean;
}

interface Listener<E> {
  show(followed: FollowedThread<E>): void;
  /** Something happened after the thread was first read. */
  onChanged(): void;
}

/** Shorter interruptions are not shown. */
const reconnectingAfterMs = 2_500;
const retryAfterMs = 3_000;
/** How often to read what the live updates may have missed: a connection can die unnoticed, for example when a laptop sleeps. */
const checkEveryMs = 45_000;

/**
 * Follows nothing while the tab is hidden, because each stream takes one of the few connections that a browser opens to a site. When the tab is
 * shown again or the browser is online again, everything that was missed is read first. If only the stream was interrupted, the browser connects
 * again, and the stream begins with what was missed.
 */
export class ThreadFollower<E extends StaffThreadEntry> {
  private followed: FollowedThread<E> = { state: undefined, problem: undefined, isReconnecting: false };
  private source: EventSource | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private warningTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly ended = new AbortController();

  constructor(
    private readonly calls: ThreadCalls<E>,
    private readonly listener: Listener<E>,
  ) {}

  get state(): ThreadState<E> | undefined {
    return this.followed.state;
  }

  start(): void {
    const { signal } = this.ended;
    const checking = setInterval(() => void this.readMissed(), checkEveryMs);
    signal.addEventListener('abort', () => clearInterval(checking));
    document.addEventListener('visibilitychange', () => this.onVisibility(), { signal });
    window.addEventListener('online', () => void this.connect(), { signal });
    window.addEventListener('offline', () => this.warnLater(), { signal });
    void this.connect();
  }

  stop(): void {
    this.ended.abort();
    clearTimeout(this.warningTimer);
    this.disconnect();
  }

  /** The read before following also renews an expired session, which a stream cannot do. */
  readonly connect = async (): Promise<void> => {
    this.disconnect();
    const hasChanged = await this.catchUp();
    if (this.ended.signal.aborted || hasChanged === undefined) return;
    if (hasChanged) this.listener.onChanged();
    if (document.visibilityState === 'visible') this.follow();
  };

  /**
   * Reads entries before the first loaded one. Resolves with the problem, or with whether there are still earlier ones. `beforeShown` is called just
   * before they are shown.
   */
  async readEarlier(beforeShown: () => void): Promise<Problem | boolean> {
    const first = this.state?.entries[0]?.seq;
    if (first === undefined) return false;
    const answer = await this.calls.read({ before: first });
    if (!answer.ok) return answer.problem;
    beforeShown();
    if (this.state) this.set({ state: withEarlier(this.state, answer.value) });
    return answer.value.hasEarlier;
  }

  add(entry: E): void {
    if (this.state) this.set({ state: withEntries(this.state, [entry]) });
  }

  advanceReadSeq(seq: number): void {
    if (this.state) this.set({ state: { ...this.state, readSeq: Math.max(this.state.readSeq, seq) } });
  }

  private set(values: Partial<FollowedThread<E>>): void {
    if (this.ended.signal.aborted) return;
    this.followed = { ...this.followed, ...values };
    this.listener.show(this.followed);
  }

  /** Returns whether something has happened since the last part; false for the first one. */
  private apply(part: ThreadPart<E>): boolean {
    const before = this.state;
    this.set({ state: before ? withChanges(before, part) : threadFrom(part), problem: undefined });
    return before !== undefined && part.entries.length > 0 && part.change > before.change;
  }

  /**
   * Reads everything since the last known change, or the last entries if nothing is known. Resolves with whether something happened since then;
   * undefined if reading failed.
   */
  private async catchUp(): Promise<boolean | undefined> {
    let hasChanged = false;
    for (;;) {
      const after = this.state?.change;
      const answer = await this.calls.read(after === undefined ? {} : { after });
      if (this.ended.signal.aborted) return undefined;
      if (!answer.ok) return this.handleFailure(answer.problem);
      hasChanged = this.apply(answer.value) || hasChanged;
      if (after === undefined || !answer.value.hasLater || answer.value.change <= after) return hasChanged;
    }
  }

  /** Removes the thread if this person may no longer read it. Otherwise, a thread that is already shown stays, and a visible tab reads it again. */
  private handleFailure(problem: Problem): undefined {
    const isGone = problem.status === 404 || problem.status === 403;
    if (isGone) {
      this.disconnect();
      this.cancelWarning();
      this.set({ problem, state: undefined });
    } else if (!this.state) this.set({ problem });
    else if (document.visibilityState === 'visible') {
      this.warnLater();
      this.retryLater();
    }
    return undefined;
  }

  private follow(): void {
    this.disconnect();
    const own = new EventSource(this.calls.updatesUrl(this.state?.change ?? 0));
    this.source = own;
    own.onopen = () => this.cancelWarning();
    own.onmessage = ({ data }: MessageEvent<string>) => {
      this.cancelWarning();
      // The stream sends what `read` returns.
      if (this.apply(JSON.parse(data) as ThreadPart<E>)) this.listener.onChanged();
    };
    own.onerror = () => {
      if (this.source !== own) return;
      this.warnLater();
      // After a refusal, such as an expired session, the browser does not try again.
      if (own.readyState === EventSource.CLOSED) this.retryLater();
    };
  }

  private async readMissed(): Promise<void> {
    if (document.visibilityState !== 'visible' || !this.source) return;
    if (!(await this.catchUp())) return;
    this.listener.onChanged();
    // The stream did not deliver the change, so it is replaced, unless it was closed because the tab was hidden.
    if (this.source) this.follow();
  }

  private onVisibility(): void {
    if (document.visibilityState === 'visible') return void this.connect();
    this.disconnect();
    this.cancelWarning();
  }

  private retryLater(): void {
    this.disconnect();
    if (!this.ended.signal.aborted) this.retryTimer = setTimeout(() => void this.connect(), retryAfterMs);
  }

  private disconnect(): void {
    this.source?.close();
    this.source = undefined;
    clearTimeout(this.retryTimer);
  }

  private cancelWarning(): void {
    clearTimeout(this.warningTimer);
    this.warningTimer = undefined;
    if (this.followed.isReconnecting) this.set({ isReconnecting: false });
  }

  private warnLater(): void {
    this.warningTimer ??= setTimeout(() => this.set({ isReconnecting: true }), reconnectingAfterMs);
  }
}
