import type { ReactNode } from 'react';
import { Waiting } from '../components/Waiting.js';
import { Empty } from './Empty.js';
import { Failure } from './Failure.js';
import type { Query } from './query.js';

interface LoadedProps<T> {
  query: Query<T>;
  /** Shown if there is no such record; 'Record not found' by default. */
  missing?: ReactNode;
  children: (data: T) => ReactNode;
}

export function Loaded<T>({ query, missing, children }: LoadedProps<T>) {
  const { data, problem } = query;
  if (data !== undefined) return children(data);
  if (problem?.status === 404)
    return missing ?? <Empty title="Record not found">It may have been deleted.</Empty>;
  return problem ? <Failure query={query} /> : <Waiting />;
}
