import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type Query, useQuery } from './query.js';

/** One page of a list, with what `<Pager>` needs to lead to the others. */
export interface Paged<T> {
  rows: Query<T[]>;
  /** From 1; kept in the address, so that Back, a reload and a copied link show the same. */
  page: number;
  pages: number;
  size: number;
  /** Serial number of the first row, from 1. */
  first: number;
  go(page: number): void;
}

interface PagedOptions {
  size: number;
  /** Name in the address; two lists on a screen need two. */
  param?: string;
}

/** Reads one page of a list that answers `X-Total-Count`. `path` may have a query of its own. */
export function usePaged<T>(path: string, { size, param = 'page' }: PagedOptions): Paged<T> {
  const [search, setSearch] = useSearchParams();
  const page = pageFrom(search.get(param));
  const rows = useQuery<T[]>(`${path}${path.includes('?') ? '&' : '?'}page=${page}&limit=${size}`);
  const pages = pageCount(rows.total ?? 0, size);
  const go = (to: number, options?: { replace: boolean }) => {
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (to > 1) after.set(param, String(to));
        else after.delete(param);
        return after;
      },
      { preventScrollReset: true, ...options },
    );
  };
  // The last row of the last page was deleted, or the address names a page that never was.
  const beyond = !rows.loading && rows.total !== undefined && page > pages;
  useEffect(() => {
    if (beyond) go(pages, { replace: true });
  });
  return { rows, page, pages, size, first: (page - 1) * size + 1, go };
}

/** Items divided by the size, rounded up; a list without any has one page. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}

/** What the address names, or the first page where that is none. */
export function pageFrom(text: string | null): number {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}
