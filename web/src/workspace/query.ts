import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery as useTanStackQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import {
  type Address,
  type AnswerOf,
  callPath,
  deadlineMs,
  type PathArguments,
  type Problem,
} from '../lib/api.js';
import { pathOf } from './path.js';

/** What a screen reads. What was last read stays until there is better. */
export interface Query<T> {
  /** Of this address, or of the one before while this one is on its way. */
  data: T | undefined;
  /** How many there are on all pages (`X-Total-Count`); undefined where the list has no pages. */
  total: number | undefined;
  /** What this address answers is on its way for the first time, or again after a failure. */
  loading: boolean;
  problem: Problem | undefined;
  /** Reads again. */
  retry(): void;
}

interface Read<T> {
  value: T;
  total: number | undefined;
}

/**
 * One for each account that is signed in, so that nobody sees what another one has read. Nothing is kept once a screen is left: forms
 * start from what is stored. A failure is final: the API client has renewed the session by then, and the person decides.
 */
export function newQueryClient(): QueryClient {
  // Without a connection a call fails and says so, rather than wait for one.
  const networkMode = 'always';
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode, retry: false, gcTime: 0, refetchOnWindowFocus: false },
      mutations: { networkMode, gcTime: 0 },
    },
  });
}

/** Reads a call of the API, typed by its operation; other parameters, or leaving, end a read under way. Null reads nothing. */
export function useQuery<A extends Extract<Address, `GET ${string}`>>(
  at: A,
  ...parts: PathArguments<A> | [null]
): Query<AnswerOf<A>> {
  return useRead(parts[0] === null ? null : pathOf(at, ...(parts as PathArguments<A>)));
}

interface Polling<T> {
  everyMs: number;
  /** Whether what was read may still change by itself. */
  while(data: T): boolean;
}

/** Reads an address that is known only at run time. Its answer is not checked against `T`: wherever possible, use `useQuery`. A hidden tab does not poll. */
export function useRead<T>(path: string | null, polling?: Polling<T>): Query<T> {
  const { data, error, isError, isFetching, isPending, isPlaceholderData, refetch } = useTanStackQuery({
    ...readOptions<T>(path ?? ''),
    enabled: path !== null,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      polling && state.data && polling.while(state.data.value) ? polling.everyMs : false,
  });
  return {
    data: data?.value,
    total: data?.total,
    loading: path !== null && (isPending || isPlaceholderData || (isError && isFetching)),
    problem: isFetching ? undefined : (error ?? undefined),
    retry: () => void refetch(),
  };
}

export function readOptions<T>(path: string) {
  return queryOptions<Read<T>, Problem>({
    queryKey: [path],
    async queryFn({ signal }) {
      const reading = new AbortController();
      signal.addEventListener('abort', () => reading.abort());
      const deadline = setTimeout(() => reading.abort(), deadlineMs);
      const answer = await callPath<T>('GET', path, { signal: reading.signal });
      clearTimeout(deadline);
      if (!answer.ok) throw answer.problem;
      return { value: answer.value, total: totalOf(answer.headers) };
    },
  });
}

function totalOf(headers: Headers): number | undefined {
  const total = headers.get('x-total-count');
  return total === null ? undefined : Number(total);
}

/** Reads again whatever the screen shows. */
export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

interface Saving<Args extends unknown[]> {
  /** Does it, unless it is under way. Resolves with whether it was done. */
  save(...args: Args): Promise<boolean>;
  saving: boolean;
  /** Why it was not done the last time. */
  problem: Problem | undefined;
}

/** A change of what is stored. After it, whatever the screen shows is read again. `change` resolves with what went wrong. */
export function useSave<Args extends unknown[]>(
  change: (...args: Args) => Promise<Problem | undefined>,
): Saving<Args> {
  const readAgain = useReadAgain();
  const { mutateAsync, isPending, error } = useMutation<void, Problem, Args>({
    async mutationFn(args) {
      const problem = await change(...args);
      if (problem) throw problem;
    },
    onSuccess: readAgain,
    // Somebody else was faster: the screen shows what they have saved.
    onError: ({ status }) => (status === 412 ? readAgain() : undefined),
  });
  // React hears of a mutation a moment later, and a double click may be faster.
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
