import { useEffect } from 'react';
import { useListFilter } from '../../../workspace/list-filter.js';
import { useAddressParams } from '../../../workspace/address-params.js';
import { pageCount, usePageInAddress } from '../../../workspace/paging.js';
import { nameOf, onePerFieldOf, type ScreenPart } from '../content-screens.js';
import type { StoredRecord } from '../../../workspace/content-api.js';

/** In records. Most collections have fewer. */
const defaultPageSize = 25;

/** Shorter lists have no search and sort controls. Lists with at most one record for each option of a field never have them. */
const minRecordsForTools = 6;

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
type Compare = (a: StoredRecord, b: StoredRecord, part: ScreenPart) => number;

/** The first is the order that visitors see and is not in the address. */
export const recordSorts = [
  { sort: '', direction: '', label: 'Site order' },
  { sort: 'name', direction: 'asc', label: 'Name, A to Z' },
  { sort: 'name', direction: 'desc', label: 'Name, Z to A' },
  { sort: 'updatedAt', direction: 'desc', label: 'Recently changed' },
  { sort: 'createdAt', direction: 'desc', label: 'Newest first' },
] as const;
export type RecordSort = (typeof recordSorts)[number];

const ascending: Record<Exclude<RecordSort['sort'], ''>, Compare> = {
  name: (a, b, part) => byName.compare(nameOf(part, a), nameOf(part, b)),
  updatedAt: (a, b) => a.updatedAt.localeCompare(b.updatedAt),
  createdAt: (a, b) => a.createdAt.localeCompare(b.createdAt),
};

/** The search, the sort order, the page and its size are kept in the address. */
export function useRecordView(part: ScreenPart, records: readonly StoredRecord[]) {
  const [address, changeParams] = useAddressParams();
  const filter = useListFilter(['search']);
  const { value: searchText, change: search } = filter.field('search');
  const {
    page: wantedPage,
    size,
    sizes,
    go,
    resize,
  } = usePageInAddress({ size: defaultPageSize, resizable: true });
  const hasTools = records.length >= minRecordsForTools && onePerFieldOf(part.section) === undefined;
  const words = hasTools ? searchText.toLowerCase().split(/\s+/).filter(Boolean) : [];
  const wantedSort = recordSorts.find(
    ({ sort, direction }) =>
      sort === (address.get('sort') ?? '') && direction === (address.get('direction') ?? ''),
  );
  // Without the tools, nobody could go back to the order of the site.
  const chosenSort = (hasTools && wantedSort) || recordSorts[0];
  const found = sorted(part, records, chosenSort).filter((record) => matches(part, record, words));
  const pages = pageCount(found.length, size);
  const page = Math.min(wantedPage, pages);
  // Goes to the last page if the address names a later one, for example because the only record of that page was deleted.
  useEffect(() => {
    if (wantedPage > pages) go(pages, { replace: true });
  });
  const first = (page - 1) * size;
  return {
    hasTools,
    searchText,
    search,
    isSearched: words.length > 0,
    foundCount: found.length,
    total: records.length,
    shown: found.slice(first, first + size),
    sort: chosenSort,
    sortBy: ({ sort, direction }: RecordSort) => changeParams({ page: null, sort, direction }),
    /** The list is unfiltered and in the order that visitors see. Only then can records be moved, because otherwise the effect would not be clear. */
    isSiteOrder: chosenSort.sort === '' && words.length === 0,
    showSiteOrder: () => changeParams({ page: null, sort: null, direction: null, search: null }),
    pager: { page, pages, size, sizes, go, resize },
  };
}

export type RecordView = ReturnType<typeof useRecordView>;

function sorted(part: ScreenPart, records: readonly StoredRecord[], { sort, direction }: RecordSort) {
  if (sort === '') return records;
  const compare = ascending[sort];
  return records.toSorted((a, b) => (direction === 'asc' ? compare(a, b, part) : compare(b, a, part)));
}

function matches({ section }: ScreenPart, record: StoredRecord, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = Object.keys(section.fields)
    .map((field) => record[field] ?? '')
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
