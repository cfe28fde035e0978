import {
  keepPreviousData,
  notifyManager,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery as useTanStackQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type AnswerOf, callPath, type PathArguments, type PathParts, type Problem } from '../lib/api.js';
import { pathOf, type ReadAddress } from './path.js';

// Components are notified in microtasks, not in timeouts: code that awaits a read continues only when the screen shows the new data.
notifyManager.setScheduler(queueMicrotask);

export interface Query<T> {
  /** While this address is loading, the data of the previous one. */
  data: T | undefined;
  /** The number of rows on all pages (`X-Total-Count`); undefined if the list has no pages. */
  total: number | undefined;
  /** This address is being read for the first time, or again after a failure. */
  loading: boolean;
  /** This address is being read again after a failure. */
  retrying: boolean;
  /** This address is being read now, for whatever reason. */
  reading: boolean;
  /** Stays while this address is being read again. */
  problem: Problem | undefined;
  retry(): void;
}

/**
 * Create one per signed-in account, so that one person's data is never shown to another. Nothing is cached after a screen is left: forms start from
 * what is stored. Only polling retries failed reads: the API client has already tried to renew the session, and the screen offers to try again.
 */
export function newQueryClient(): QueryClient {
  // Without a connection, a call fails immediately instead of waiting for one.
  const networkMode = 'always';
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode, retry: false, gcTime: 0, refetchOnWindowFocus: false },
      mutations: { networkMode, gcTime: 0 },
    },
  });
}

export interface Polling<T> {
  everyMs: number;
  /** Whether the data may still change by itself. */
  while(data: T): boolean;
}

/**
 * Changing the parameters or unmounting aborts a read in progress. With null instead of the parameters, nothing is read. A hidden tab does not poll.
 */
export function useQuery<A extends ReadAddress>(
  at: A,
  ...options: [...(PathArguments<A> | [null]), polling?: Polling<AnswerOf<A>>]
): Query<AnswerOf<A>>;
export function useQuery(
  at: ReadAddress,
  parts: PathParts | null = {},
  polling?: Polling<unknown>,
): Query<unknown> {
  return useRead(parts && pathOf(at, parts), polling);
}

/** For an address that is known only at run time. Wherever possible, use `useQuery`, whose answers are typed. */
export function useRead(path: string | null, polling?: Polling<unknown>): Query<unknown> {
  const { data, error, errorUpdateCount, isError, isFetching, isPending, isPlaceholderData, refetch } =
    useTanStackQuery({
      ...readOptions(path ?? ''),
      enabled: path !== null,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data, error } }) => {
        const continues = data ? polling?.while(data.value) : error !== null && isTemporary(error);
        return polling && continues ? polling.everyMs : false;
      },
    });
  const loading = path !== null && (isPending || isPlaceholderData || (isError && isFetching));
  const retrying = loading && errorUpdateCount > 0;
  // TanStack Query forgets the error when a read without data starts again.
  const [lastError, setLastError] = useState(error);
  if (error && error !== lastError) setLastError(error);
  return {
    data: data?.value,
    total: data?.total,
    loading,
    retrying,
    reading: isFetching,
    problem: error ?? (retrying ? lastError : undefined) ?? undefined,
    retry: () => void refetch(),
  };
}

/** Whether the call may succeed later. The status 0 stands for no answer. */
export const isTemporary = ({ status }: Problem): boolean => status === 0 || status === 429 || status >= 500;

export function readOptions(path: string) {
  return queryOptions<{ value: unknown; total: number | undefined }, Problem>({
    queryKey: [path],
    async queryFn({ signal }) {
      const answer = await callPath('GET', path, { signal });
      if (!answer.ok) throw answer.problem;
      return { value: answer.value, total: totalOf(answer.headers) };
    },
  });
}

function totalOf(headers: Headers): number | undefined {
  const total = headers.get('x-total-count');
  return total === null ? undefined : Number(total);
}

/** Reads all data of the screen again. */
export function useRefetch(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

/** The problem if nothing was changed, or else a callback for when the screen shows the change, for example to show a toast. */
export type ChangeResult = Problem | (() => void) | undefined;

interface Saving<Args extends unknown[]> {
  /** Does nothing while a change is in progress. Resolves with whether the change was made. */
  save(...args: Args): Promise<boolean>;
  saving: boolean;
  problem: Problem | undefined;
}

/** All data of the screen is read again before the change counts as made. */
export function useSave<Args extends unknown[]>(
  change: (...args: Args) => Promise<ChangeResult>,
): Saving<Args> {
  const refetch = useRefetch();
  const { mutateAsync, isPending, error } = useMutation<(() => void) | undefined, Problem, Args>({
    async mutationFn(args) {
      const result = await change(...args);
      if (typeof result === 'object') throw result;
      return result;
    },
    async onSuccess(whenShown) {
      await refetch();
      whenShown?.();
    },
    // Someone else saved first: show what they saved.
    onError: ({ status }) => (status === 412 ? refetch() : undefined),
  });
  // `isPending` changes only with the next render: a second click may come before it.
  const underWay = useRef(false);
  async function save(...args: Args): Promise<boolean> {
    if (underWay.current) return false;
    underWay.current = true;
    try {
      await mutateAsync(args);
      return true;
    } catch {
      return false;
    } finally {
      underWay.current = false;
    }
  }
  return { save, saving: isPending, problem: error ?? undefined };
}
