import { useSearchParams } from 'react-router-dom';

/** The text that lists are searched for, kept in the address. Each search starts at the first page. */
export function useSearchText(): { text: string; look(text: string): void } {
  const [search, setSearch] = useSearchParams();
  const look = (text: string) => {
    setSearch(text ? { search: text } : {}, { preventScrollReset: true, replace: true });
  };
  return { text: search.get('search') ?? '', look };
}
