import './admin.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { RequireAdmin } from '../../workspace/RequireAdmin.js';
import { Workspace } from '../../workspace/Workspace.js';
import { findRecords } from './find-records.js';
import { findScreens } from './find-screen.js';
import { adminNav } from './nav.js';
import { tabTitleAt } from './tab-titles.js';
import { useSearchableSite } from './searchable-site.js';
import { useTabTitle } from './title.js';

interface AdminScreenProps {
  title: string;
  lead?: ReactNode;
  trail?: readonly { to: string; text: string }[];
  actions?: ReactNode;
  /** What the tab is called, where the documented heading does not tell screens apart. */
  tab?: string;
  children: (account: Account) => ReactNode;
}

/** What all admin screens share: the role, the navigation, the head. */
export function AdminScreen({ children, tab, trail = [], ...head }: AdminScreenProps) {
  const { pathname } = useLocation();
  const steps = pathname === '/admin' ? trail : [{ to: '/admin', text: 'Admin panel' }, ...trail];
  useTabTitle(tab ?? tabTitleAt(pathname) ?? head.title);
  const [words, setWords] = useState('');
  const found = findScreens(adminNav, words);
  return (
    <RequireAdmin>
      {(account) => (
        <Workspace
          area="Admin menu"
          nav={found}
          navHead={<Find words={words} change={setWords} first={found[0]?.entries[0]?.to} />}
          {...head}
          trail={steps}
        >
          {children(account)}
        </Workspace>
      )}
    </RequireAdmin>
  );
}

interface FindProps {
  words: string;
  change(words: string): void;
  /** Where Enter leads. */
  first: string | undefined;
}

/** Where lists are searched for what the words say. */
const lists = [
  { path: '/total-orders', text: 'Orders' },
  { path: '/all-messages', text: 'Messages' },
  { path: '/all-subscriber', text: 'Subscribers' },
  { path: '/campaigns', text: 'Campaigns' },
  { path: '/sent-mail', text: 'Sent mail' },
  { path: '/audit-log', text: 'Audit log' },
];

/** Finds screens by their name or by what they hold, records of content by their text, and leads on to the lists. Ctrl or ⌘ and K come here. */
function Find({ words, change, first }: FindProps) {
  const navigate = useNavigate();
  const searching = words.trim().length > 1;
  const site = useSearchableSite(searching);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      // There are two, for wide and for narrow screens; only one can be seen.
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
          {lists.map(({ path, text }) => (
            <li key={path}>
              <Link className="workspace__link" to={`${path}?search=${encodeURIComponent(words.trim())}`}>
                <span>
                  ‘{words.trim()}’ <span className="find-screen__where">in {text.toLowerCase()}</span>
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
