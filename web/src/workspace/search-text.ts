import { useSearchParams } from 'react-router-dom';
import { withParams } from './paging.js';

/** The text that lists are searched for, kept in the address. Each search starts at the first page of these lists. */
export function useSearchText(pages: readonly string[] = ['page']): {
  text: string;
  look(text: string): void;
} {
  const [search, setSearch] = useSearchParams();
  const look = (text: string) => {
    const first = Object.fromEntries(pages.map((page) => [page, null]));
    setSearch((before) => withParams(before, { ...first, search: text }), {
      preventScrollReset: true,
      replace: true,
    });
  };
  return { text: search.get('search') ?? '', look };
}
