import './admin.css';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { RequireAdmin } from '../../workspace/RequireAdmin.js';
import { Workspace } from '../../workspace/Workspace.js';
import { findScreens } from './find-screen.js';
import { adminNav } from './nav.js';

interface AdminScreenProps {
  title: string;
  lead?: ReactNode;
  trail?: readonly { to: string; text: string }[];
  actions?: ReactNode;
  children: (account: Account) => ReactNode;
}

/** What all admin screens share: the role, the navigation, the head. */
export function AdminScreen({ children, ...head }: AdminScreenProps) {
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

/** Finds the screen on which something is edited, by its name or by what it holds. */
function Find({ words, change, first }: FindProps) {
  const navigate = useNavigate();
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
        aria-label="Find a screen"
        placeholder="Find a screen"
        value={words}
        onChange={({ target }) => change(target.value)}
      />
      <p className="visually-hidden" role="status">
        {words.trim() && (first ? 'Enter opens the first one found.' : 'Nothing found.')}
      </p>
      {words.trim() && !first && <p className="find-screen__none">Nothing is called so.</p>}
    </form>
  );
}
