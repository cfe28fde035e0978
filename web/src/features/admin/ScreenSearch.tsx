import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { CurrentScreen, NavGroup } from '../../workspace/current-screen.js';
import { findRecords } from './find-records.js';
import { findScreens, type SearchHit } from './find-screens.js';
import { useSearchableSite } from './searchable-site.js';

interface ScreenSearchProps {
  nav: readonly NavGroup[];
  /** From `useNavigationScreens`, so that only lists in the navigation are offered. */
  screens: CurrentScreen['screens'];
}

/**
 * Lists matching screens, then matching content records, and then a link to search each searchable list. The arrow keys choose a result and Enter
 * opens it. Ctrl+K or ⌘K focuses the field.
 */
export function ScreenSearch({ nav, screens }: ScreenSearchProps) {
  const id = useId();
  const input = useFocusByShortcut();
  const [text, setText] = useState('');
  // The address and not the position, because records that are loaded later move the results after them.
  const [chosenAddress, setChosenAddress] = useState<string>();
  const results = useResults({ nav, screens }, text);
  const chosen = results.find(({ to }) => to === chosenAddress) ?? results[0];
  const isOpen = text.trim() !== '';

  function change(value: string): void {
    setText(value);
    setChosenAddress(undefined);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // While an input method composes a character, Escape cancels only that.
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) change('');
    if (!step || !chosen) return;
    event.preventDefault();
    setChosenAddress(results.at((results.indexOf(chosen) + step) % results.length)?.to);
  }

  return (
    <form
      className="find-screen"
      role="search"
      aria-label="Screens"
      onSubmit={(event) => {
        event.preventDefault();
        // A click, and not a navigation by code, so that a screen with unsaved changes asks first.
        if (chosen) document.getElementById(`${id}-${chosen.to}`)?.click();
      }}
    >
      <input
        className="field__input"
        type="search"
        role="combobox"
        ref={input}
        aria-label="Find a screen"
        aria-keyshortcuts="Control+K Meta+K"
        aria-autocomplete="list"
        aria-expanded={isOpen && results.length > 0}
        aria-controls={`${id}-results`}
        aria-activedescendant={chosen && `${id}-${chosen.to}`}
        autoComplete="off"
        placeholder="Find a screen"
        value={text}
        onChange={({ target }) => change(target.value)}
        onKeyDown={onKeyDown}
      />
      <p className="find-screen__count" role="status">
        {isOpen && countText(results)}
      </p>
      <Results id={id} results={results} chosen={chosen} onOpened={() => change('')} />
    </form>
  );
}

function countText({ length }: readonly SearchHit[]): string {
  if (length === 0) return 'No results.';
  return length === 1 ? '1 result' : `${length} results`;
}

interface ResultsProps {
  id: string;
  results: readonly SearchHit[];
  chosen: SearchHit | undefined;
  onOpened(): void;
}

function Results({ id, results, chosen, onOpened }: ResultsProps) {
  return (
    <div className="find-screen__found" id={`${id}-results`} role="listbox" aria-label="Results">
      {results.map(({ to, text, where }) => (
        <Link
          className="workspace__link"
          key={to}
          id={`${id}-${to}`}
          role="option"
          aria-selected={to === chosen?.to}
          tabIndex={-1}
          to={to}
          onClick={onOpened}
        >
          <span>
            {text} {where && <span className="find-screen__where">{where}</span>}
          </span>
        </Link>
      ))}
    </div>
  );
}

/** Content records are searched only if the text has at least two characters. */
function useResults({ nav, screens }: ScreenSearchProps, text: string): SearchHit[] {
  const trimmed = text.trim();
  const findsRecords = trimmed.length > 1;
  const site = useSearchableSite(findsRecords);
  const lists = screens.filter((screen) => screen.nav?.searchable);
  if (!trimmed) return [];
  const words = trimmed.toLowerCase().split(/\s+/);
  return [
    ...findScreens(nav, words),
    ...(findsRecords ? findRecords(site, words) : []),
    ...lists.map((list) => ({
      to: `${list.path}?search=${encodeURIComponent(trimmed)}`,
      text: `‘${trimmed}’`,
      where: `in ${list.nav?.text.toLowerCase()}`,
    })),
  ];
}

function useFocusByShortcut() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => {
      // The layouts for wide and narrow windows have a field each, of which at most one is visible.
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        !input.current?.checkVisibility()
      )
        return;
      event.preventDefault();
      input.current.focus();
      input.current.select();
    };
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return input;
}
