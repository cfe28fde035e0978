import './admin.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { siteName, usePageData } from '../../lib/site.js';
import { type TrailStep, trailOf, useScreen } from '../../workspace/current-screen.js';
import { Workspace } from '../../workspace/Workspace.js';
import { findRecords } from './find-records.js';
import { findScreens } from './find-screen.js';
import { adminNav } from './nav.js';
import { useSearchableSite } from './searchable-site.js';

interface AdminScreenProps {
  /** The heading, if it differs from the tab's title. */
  title?: string;
  lead?: ReactNode;
  /** The parent screens, if the table of screens does not know them. */
  trail?: readonly TrailStep[];
  actions?: ReactNode;
  /** The tab's title, if the table of screens does not know it. */
  tab?: string;
  children: ReactNode;
}

/** The frame of an admin screen: the navigation with its search, the breadcrumbs, the heading. */
export function AdminScreen({ title, trail, tab, children, ...head }: AdminScreenProps) {
  const { pathname } = useLocation();
  const current = useScreen();
  const { screen } = current;
  const [words, setWords] = useState('');
  const found = findScreens(adminNav(current, pathname), words);
  const steps = trail ?? trailOf(current);
  useTabTitle(screen.title ? undefined : tab);
  return (
    <Workspace
      area="Admin menu"
      nav={found}
      navHead={<ScreenSearch words={words} change={setWords} first={found[0]?.entries[0]?.to} />}
      title={title ?? screen.title ?? ''}
      trail={screen.path === '/admin' ? [] : [{ to: '/admin', text: 'Admin panel' }, ...steps]}
      {...head}
    >
      {children}
    </Workspace>
  );
}

/** For screens whose title is not in the table. */
function useTabTitle(title: string | undefined): void {
  const name = siteName(usePageData().site);
  useEffect(() => {
    if (title) document.title = name ? `${title} | ${name}` : title;
  }, [title, name]);
}

interface ScreenSearchProps {
  words: string;
  change(words: string): void;
  /** Where Enter leads: the first result. */
  first: string | undefined;
}

/**
 * Finds screens by name or content, and content records by text, and links to the lists that can be searched.
 * Ctrl+K or ⌘K focuses it.
 */
function ScreenSearch({ words, change, first }: ScreenSearchProps) {
  const navigate = useNavigate();
  const searching = words.trim().length > 1;
  const site = useSearchableSite(searching);
  const lists = useScreen().screens.filter(({ nav }) => nav?.searchable);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      // Wide and narrow screens have one each, and only one is visible.
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || !input.current?.checkVisibility()) return;
      event.preventDefault();
      input.current.focus();
      input.current.select();
    };
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const records = searching ? findRecords(site, wanted) : [];
  return (
    <form
      className="find-screen"
      role="search"
      aria-label="Screens"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() && first) void navigate(first);
      }}
    >
      <input
        className="field__input"
        type="search"
        ref={input}
        aria-label="Find a screen"
        aria-keyshortcuts="Control+K Meta+K"
        placeholder="Find a screen"
        value={words}
        onChange={({ target }) => change(target.value)}
      />
      <p className="visually-hidden" role="status">
        {words.trim() && (first ? 'Press Enter to open the first result.' : 'No matching screens.')}
      </p>
      {words.trim() && (
        <ul className="find-screen__found" aria-label="Found">
          {records.map(({ to, text, where }) => (
            <li key={to}>
              <Link className="workspace__link" to={to}>
                <span>
                  {text} <span className="find-screen__where">{where}</span>
                </span>
              </Link>
            </li>
          ))}
          {lists.map(({ path, nav }) => (
            <li key={path}>
              <Link className="workspace__link" to={`${path}?search=${encodeURIComponent(words.trim())}`}>
                <span>
                  ‘{words.trim()}’ <span className="find-screen__where">in {nav?.text.toLowerCase()}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {words.trim() && !first && <p className="find-screen__none">No matching screens.</p>}
    </form>
  );
}
