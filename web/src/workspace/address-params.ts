import { useSearchParams } from 'react-router-dom';

/** Null or empty removes the parameter. */
type ParamChanges = Readonly<Record<string, string | null>>;

type ChangeParams = (changes: ParamChanges, options?: { replace: boolean }) => void;

/**
 * The query parameters hold what a list shows, so that Back, a reload and a copied link show the same. A change replaces the history entry unless
 * `replace` is false.
 */
export function useAddressParams(): readonly [params: URLSearchParams, change: ChangeParams] {
  const [params, setParams] = useSearchParams();
  const change: ChangeParams = (changes, { replace } = { replace: true }) => {
    // When two changes follow each other closely, `params` lacks the first one.
    const changed = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value) changed.set(name, value);
      else changed.delete(name);
    }
    setParams(changed, { preventScrollReset: true, replace });
  };
  return [params, change];
}
