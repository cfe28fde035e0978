import { useEffect } from 'react';
import type { OperationRequest } from '#libs/contracts';
import type { OperationsByAddress } from '#libs/operations';
import type { OperationAddress, AnswerOf } from '../lib/api.js';
import { useAddressParams } from './address-params.js';
import { withQuery } from './path.js';
import { type Polling, type Query, useRead } from './query.js';

export interface Paged<T> {
  rows: Query<T[]>;
  /** From 1, kept in the address. */
  page: number;
  pages: number;
  size: number;
  /** The sizes to choose from; empty if the size is fixed. */
  sizes: readonly number[];
  /** Number of the page's first row in the whole list, from 1. */
  first: number;
  go(page: number): void;
  /** Also goes to the first page. */
  resize(size: number): void;
}

interface PagedOptions {
  size: number;
  /** Lets the person choose the page size, which is kept in the address. */
  resizable?: boolean;
  /** Name of the page parameter in the address; two lists on a screen need two names. */
  param?: string;
}

/** The lists that are read page by page, with `X-Total-Count`. */
type ListAddress = {
  [A in OperationAddress]: OperationsByAddress[A] extends { readonly paged: true } ? A : never;
}[OperationAddress];
export type FilterOf<A extends ListAddress> =
  OperationRequest<OperationsByAddress[A]> extends { query?: infer Q }
    ? Omit<NonNullable<Q>, 'page' | 'limit' | 'cursor'>
    : never;
type Row<A extends ListAddress> = AnswerOf<A> extends readonly (infer R)[] ? R : never;

export function usePaged<A extends ListAddress>(
  at: A,
  filter: FilterOf<A>,
  { polling, ...options }: PagedOptions & { polling?: Polling<Row<A>[]> },
): Paged<Row<A>> {
  const { page, size, sizes, go, resize } = usePageInAddress(options);
  const query = { ...filter, page, limit: size };
  const rows = useRead(withQuery(at.replace('GET ', ''), query), polling) as Query<Row<A>[]>;
  const pages = pageCount(rows.total ?? 0, size);
  // The only row of the last page was deleted, or the address names a page that does not exist.
  const beyond = !rows.loading && rows.total !== undefined && page > pages;
  useEffect(() => {
    if (beyond) go(pages, { replace: true });
  });
  return { rows, page, pages, size, sizes, first: (page - 1) * size + 1, go, resize };
}

/** For a panel that is not shown while its list loads for the first time, or if the list is empty. */
export function isListShown({ total, problem }: Query<unknown>): boolean {
  return Boolean(total || problem);
}

interface PageInAddress extends Pick<Paged<unknown>, 'page' | 'size' | 'sizes' | 'resize'> {
  go(page: number, options?: { replace: boolean }): void;
}

export function usePageInAddress({
  size: defaultSize,
  resizable = false,
  param = 'page',
}: PagedOptions): PageInAddress {
  const [params, change] = useAddressParams();
  const sizes = resizable ? [defaultSize, ...commonSizes.filter((size) => size !== defaultSize)] : [];
  const sizeParam = param === 'page' ? 'size' : `${param}-size`;
  const size = sizes.find((choice) => String(choice) === params.get(sizeParam)) ?? defaultSize;
  const page = pageFrom(params.get(param));
  const go = (to: number, options = { replace: false }) =>
    change({ [param]: to > 1 ? String(to) : null }, options);
  const resize = (to: number) =>
    change({ [param]: null, [sizeParam]: to === defaultSize ? null : String(to) });
  return { page, size, sizes: sizes.toSorted((a, b) => a - b), go, resize };
}

const commonSizes = [10, 25, 50, 100];

export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}

/** 1 if the number is not valid. */
export function pageFrom(text: string | null): number {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}
