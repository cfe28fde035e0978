import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { StaffThreadEntry } from '#libs/contracts';
import type { Problem } from '../../lib/api.js';
import type { ThreadCalls } from './thread-calls.js';
import { type FollowedThread, ThreadFollower } from './thread-follower.js';

export interface LiveThread<E> extends FollowedThread<E> {
  retry(): void;
  retrying: boolean;
  /** Reads entries before the first loaded one. Calls `beforeShown` just before they are shown. Resolves with true if no earlier entries are left. */
  loadEarlier(beforeShown: () => void): Promise<boolean>;
  isLoadingEarlier: boolean;
  loadEarlierProblem: Problem | undefined;
  show(entry: E): void;
  /** Does nothing if the entry is already marked as read. */
  markRead(seq: number): void;
}

interface LiveThreadOptions {
  /** Called after a change in the thread: the project may have changed with it. */
  onChanged?(): void;
  onRead?(): void;
}

/** `calls` must not change while the component is mounted: remount it with another `key` for another thread. */
export function useLiveThread<E extends StaffThreadEntry>(
  calls: ThreadCalls<E>,
  { onChanged, onRead }: LiveThreadOptions = {},
): LiveThread<E> {
  const [followed, setFollowed] = useState<FollowedThread<E>>({
    state: undefined,
    problem: undefined,
    isReconnecting: false,
  });
  const [retrying, setRetrying] = useState(false);
  const [isLoadingEarlier, setLoadingEarlier] = useState(false);
  const [loadEarlierProblem, setLoadEarlierProblem] = useState<Problem>();
  const follower = useRef<ThreadFollower<E>>(undefined);
  /** The `seq` up to which this component has asked to mark entries as read. */
  const marked = useRef(0);
  const reportChange = useEffectEvent(() => onChanged?.());

  useEffect(() => {
    const own = new ThreadFollower(calls, { show: setFollowed, onChanged: () => reportChange() });
    follower.current = own;
    own.start();
    return () => own.stop();
  }, [calls]);

  return {
    ...followed,
    retry() {
      setRetrying(true);
      void follower.current?.connect().finally(() => setRetrying(false));
    },
    retrying,
    async loadEarlier(beforeShown) {
      if (isLoadingEarlier) return false;
      setLoadingEarlier(true);
      setLoadEarlierProblem(undefined);
      const result = await follower.current?.readEarlier(beforeShown);
      setLoadingEarlier(false);
      if (typeof result === 'object') setLoadEarlierProblem(result);
      return result === false;
    },
    isLoadingEarlier,
    loadEarlierProblem,
    show: (entry) => follower.current?.add(entry),
    markRead(seq) {
      // Nothing is marked as read before the thread has been loaded.
      const readUpTo = Math.max(marked.current, follower.current?.state?.readSeq ?? Infinity);
      if (seq <= readUpTo) return;
      marked.current = seq;
      void calls.markRead(seq).then((answer) => {
        // `Thread` calls `markRead` again when it is next rendered, or when the tab is shown again.
        if (!answer.ok) return void (marked.current = 0);
        follower.current?.advanceReadSeq(seq);
        onRead?.();
      });
    },
  };
}
