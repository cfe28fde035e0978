import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { OperationRequest } from '#libs/contracts';
import type { Calls } from '#libs/operations';
import type { AnswerOf } from '../lib/api.js';
import { withQuery } from './path.js';
import { type Query, useRead } from './query.js';

/** One page of a list, with what `<Pager>` needs to lead to the others. */
export interface Paged<T> {
  rows: Query<T[]>;
  /** From 1; kept in the address, so that Back, a reload and a copied link show the same. */
  page: number;
  pages: number;
  size: number;
  /** What `size` may be; empty where nobody is to choose. */
  sizes: readonly number[];
  /** Serial number of the first row, from 1. */
  first: number;
  go(page: number): void;
  /** Another number of rows, from the first page on. */
  resize(size: number): void;
}

interface PagedOptions {
  /** Rows of a page, unless another number is chosen. */
  size: number;
  /** Rows of a page can be chosen; the address keeps it. */
  resizable?: boolean;
  /** Name in the address; two lists on a screen need two. */
  param?: string;
}

/** The lists that answer `X-Total-Count` and have a screen with pages. */
type ListAddress = 'GET /orders' | 'GET /messages' | 'GET /subscribers' | 'GET /mails' | 'GET /campaigns';
/** What a list can be narrowed and sorted by. */
export type FilterOf<A extends ListAddress> =
  OperationRequest<Calls[A]> extends { query?: infer Q }
    ? Omit<NonNullable<Q>, 'page' | 'limit' | 'cursor'>
    : never;
type Row<A extends ListAddress> = AnswerOf<A> extends readonly (infer R)[] ? R : never;

/** Reads one page of a list. */
export function usePaged<A extends ListAddress>(
  at: A,
  filter: FilterOf<A>,
  options: PagedOptions,
): Paged<Row<A>> {
  const { page, size, sizes, go, resize } = usePageInAddress(options);
  const query = { ...filter, page, limit: size };
  const rows = useRead<Row<A>[]>(withQuery(at.replace('GET ', ''), query));
  const pages = pageCount(rows.total ?? 0, size);
  // The last row of the last page was deleted, or the address names a page that never was.
  const beyond = !rows.loading && rows.total !== undefined && page > pages;
  useEffect(() => {
    if (beyond) go(pages, { replace: true });
  });
  return { rows, page, pages, size, sizes, first: (page - 1) * size + 1, go, resize };
}

interface PageInAddress extends Pick<Paged<unknown>, 'page' | 'size' | 'sizes' | 'resize'> {
  go(page: number, options?: { replace: boolean }): void;
}

/** Which page of how many rows somebody looks at. */
export function usePageInAddress({
  size: usual,
  resizable = false,
  param = 'page',
}: PagedOptions): PageInAddress {
  const [search, setSearch] = useSearchParams();
  const sizes = resizable ? [usual, ...furtherSizes.filter((size) => size !== usual)] : [];
  const sizeParam = param === 'page' ? 'size' : `${param}-size`;
  const size = sizes.find((choice) => String(choice) === search.get(sizeParam)) ?? usual;
  const page = pageFrom(search.get(param));
  const change = (values: Record<string, string | null>, options?: { replace: boolean }) =>
    setSearch((before) => withParams(before, values), { preventScrollReset: true, ...options });
  const go = (to: number, options?: { replace: boolean }) =>
    change({ [param]: to > 1 ? String(to) : null }, options);
  const resize = (to: number) =>
    change({ [param]: null, [sizeParam]: to === usual ? null : String(to) }, { replace: true });
  return { page, size, sizes: sizes.toSorted((a, b) => a - b), go, resize };
}

const furtherSizes = [10, 25, 50, 100];

/** An address's parameters with these among them; null or empty takes one away. */
export function withParams(before: URLSearchParams, values: Record<string, string | null>): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(values)) {
    if (value) after.set(name, value);
    else after.delete(name);
  }
  return after;
}

/** Items divided by the size, rounded up; a list without any has one page. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}

/** What the address names, or the first page where that is none. */
export function pageFrom(text: string | null): number {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}
