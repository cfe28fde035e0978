import {
  type OperationAddress,
  type Answer,
  type AnswerOf,
  callPath,
  fillPath,
  type PathArguments,
  type PathParts,
} from '../lib/api.js';

export function pathOf<A extends OperationAddress>(at: A, ...parts: PathArguments<A>): string;
export function pathOf(at: OperationAddress, { params, query = {} }: PathParts = {}): string {
  return withQuery(fillPath(at.split(' ')[1]!, params), query);
}

export type ReadAddress = Extract<OperationAddress, `GET ${string}`>;

/** Reads once, with query parameters. To show data on a screen, use `useQuery`; without query parameters, use `callApi`. */
export async function callWithQuery<A extends ReadAddress>(
  at: A,
  ...parts: PathArguments<A>
): Promise<Answer<AnswerOf<A>>> {
  return (await callPath('GET', pathOf(at, ...parts), {})) as Answer<AnswerOf<A>>;
}

/** Leaves out parameters without a value. */
export function withQuery(path: string, query: NonNullable<PathParts['query']>): string {
  const params = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  return params.length > 0 ? `${path}?${new URLSearchParams(params)}` : path;
}
