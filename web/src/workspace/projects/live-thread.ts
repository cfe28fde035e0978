import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { StaffThreadEntry } from '#libs/contracts';
import type { Problem } from '../../lib/api.js';
import type { ThreadCalls } from './thread-calls.js';
import { type Followed, ThreadFollower } from './thread-follower.js';

/** A thread with live updates. */
export interface LiveThread<E> extends Followed<E> {
  retry(): void;
  /** Reads entries before the first one. Calls `beforeShown` just before they are shown. Resolves with true if they include the first entry of the thread. */
  loadEarlier(beforeShown: () => void): Promise<boolean>;
  isLoadingEarlier: boolean;
  earlierProblem: Problem | undefined;
  /** Shows an entry that this person has written or changed. */
  show(entry: E): void;
  /** Marks everything up to an entry as read, unless it is already. */
  markRead(seq: number): void;
}

interface LiveThreadOptions {
  /** Called when something has happened: the project itself may have changed, too. */
  changed?(): void;
  /** Called when entries have been marked as read. */
  read?(): void;
}

/** Reads and follows a thread. `calls` must stay the same: use another component (`key`) for another thread. */
export function useLiveThread<E extends StaffThreadEntry>(
  calls: ThreadCalls<E>,
  { changed, read }: LiveThreadOptions = {},
): LiveThread<E> {
  const [followed, setFollowed] = useState<Followed<E>>({
    state: undefined,
    problem: undefined,
    isReconnecting: false,
  });
  const [isLoadingEarlier, setLoadingEarlier] = useState(false);
  const [earlierProblem, setEarlierProblem] = useState<Problem>();
  const follower = useRef<ThreadFollower<E>>(undefined);
  const marked = useRef(0);
  const onChanged = useEffectEvent(() => changed?.());

  useEffect(() => {
    const own = new ThreadFollower(calls, { show: setFollowed, changed: () => onChanged() });
    follower.current = own;
    own.start();
    return () => own.stop();
  }, [calls]);

  return {
    ...followed,
    retry() {
      setFollowed((before) => ({ ...before, problem: undefined }));
      void follower.current?.connect();
    },
    async loadEarlier(beforeShown) {
      if (isLoadingEarlier) return false;
      setLoadingEarlier(true);
      setEarlierProblem(undefined);
      const hasMore = await follower.current?.readEarlier(beforeShown);
      setLoadingEarlier(false);
      if (typeof hasMore === 'object') setEarlierProblem(hasMore);
      return hasMore === false;
    },
    isLoadingEarlier,
    earlierProblem,
    show: (entry) => follower.current?.add(entry),
    markRead(seq) {
      const known = Math.max(marked.current, follower.current?.state?.readSeq ?? Infinity);
      if (seq <= known) return;
      marked.current = seq;
      void calls.markRead(seq).then((answer) => {
        // The next entry or the next visit marks these entries as well.
        if (!answer.ok) return void (marked.current = 0);
        follower.current?.hasRead(seq);
        read?.();
      });
    },
  };
}
