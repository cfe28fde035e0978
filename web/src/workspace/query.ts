import { useCallback, useEffect, useState } from 'react';
import {
  type Address,
  type AnswerOf,
  callPath,
  deadlineMs,
  type PathArguments,
  type Problem,
} from '../lib/api.js';
import { pathOf } from './path.js';

/** What a screen reads: exactly one of loading, failed and loaded, and what was last read stays until there is better. */
export interface Query<T> {
  /** Of this address, or of the one before while this one is on its way. */
  data: T | undefined;
  /** How many there are on all pages (`X-Total-Count`); undefined where the list has no pages. */
  total: number | undefined;
  loading: boolean;
  problem: Problem | undefined;
  /** Reads again. */
  retry(): void;
  /** Shows what a save answered, without asking again. */
  put(data: T): void;
}

interface Read<T> {
  path: string | null;
  data?: T;
  total?: number;
  problem?: Problem;
}

/** Reads a call of the API, typed by its operation; other parameters, or leaving, end a read under way. Null reads nothing. */
export function useQuery<A extends Extract<Address, `GET ${string}`>>(
  at: A,
  ...parts: PathArguments<A> | [null]
): Query<AnswerOf<A>> {
  return useRead(parts[0] === null ? null : pathOf(at, ...(parts as PathArguments<A>)));
}

/** Reads an address that is known only at run time. Its answer is not checked against `T`: wherever possible, use `useQuery`. */
export function useRead<T>(path: string | null): Query<T> {
  const [read, setRead] = useState<Read<T>>({ path: null });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (path === null) return;
    let left = false;
    const reading = new AbortController();
    const deadline = setTimeout(() => reading.abort(), deadlineMs);
    void callPath<T>('GET', path, { signal: reading.signal }).then((answer) => {
      clearTimeout(deadline);
      if (left) return;
      if (answer.ok) setRead({ path, data: answer.value, total: totalOf(answer.headers) });
      // A page that failed shows nothing of another page.
      else setRead((before) => ({ ...(before.path === path && before), path, problem: answer.problem }));
    });
    return () => {
      left = true;
      reading.abort();
    };
  }, [path, attempt]);
  const retry = useCallback(() => {
    setRead((before) => ({ ...before, path: null, problem: undefined }));
    setAttempt((count) => count + 1);
  }, []);
  const put = useCallback((data: T) => setRead((before) => ({ path, data, total: before.total })), [path]);
  const { data, total, problem } = read;
  return { data, total, problem, loading: path !== null && read.path !== path, retry, put };
}

function totalOf(headers: Headers): number | undefined {
  const total = headers.get('x-total-count');
  return total === null ? undefined : Number(total);
}
