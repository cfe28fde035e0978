import './workspace.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Disclosure } from '../components/Disclosure.js';
import { Icon } from '../components/Icon.js';
import type { NavGroup, Breadcrumb } from './current-screen.js';
import { UndoOffers } from './UndoOffers.js';
import { FreshSignIn } from './FreshSignIn.js';

interface WorkspaceProps {
  /** Name of the navigation, and text of the button that opens it in narrow windows, such as 'Admin menu'. */
  navLabel: string;
  nav: readonly NavGroup[];
  navHead?: ReactNode;
  title: string;
  lead?: ReactNode;
  /** The parent screens, the top one first. */
  breadcrumbs?: readonly Breadcrumb[];
  /** Next to the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of the screens behind the sign-in. The steps of an order have another frame, `OrderLayout`. */
export function Workspace({
  navLabel,
  nav,
  navHead,
  title,
  lead,
  breadcrumbs = [],
  actions,
  children,
}: WorkspaceProps) {
  return (
    <div className="workspace">
      <div className="deep">
        <Navigation navLabel={navLabel} nav={nav} head={navHead} />
        <NavigationMenu navLabel={navLabel} nav={nav} head={navHead} />
      </div>
      <div className="workspace__main">
        <header className="workspace__head">
          {breadcrumbs.length > 0 && <Breadcrumbs screens={breadcrumbs} />}
          <div className="workspace__title">
            <h1>{title}</h1>
            {actions && <div className="buttons">{actions}</div>}
          </div>
          {lead && <p className="workspace__lead">{lead}</p>}
        </header>
        {children}
      </div>
      <UndoOffers />
      <FreshSignIn />
    </div>
  );
}

interface NavigationProps {
  navLabel: string;
  nav: readonly NavGroup[];
  head: ReactNode;
}

/** A long navigation scrolls separately from the rest of the screen, and keeps the current entry in view. */
function Navigation({ navLabel, nav, head }: NavigationProps) {
  const ref = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const current = ref.current?.querySelector<HTMLElement>('[aria-current]');
    if (!ref.current || !current) return;
    const { offsetTop } = current;
    const { clientHeight, scrollTop } = ref.current;
    // Below the current entry, there must be room for two more.
    if (offsetTop < scrollTop || offsetTop > scrollTop + clientHeight - 3 * current.clientHeight)
      ref.current.scrollTop = offsetTop - clientHeight / 2;
  }, [pathname]);
  return (
    <nav className="workspace__nav" aria-label={navLabel} ref={ref}>
      {head}
      <Groups nav={nav} />
    </nav>
  );
}

function Breadcrumbs({ screens }: { screens: readonly Breadcrumb[] }) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="breadcrumbs">
        {screens.map(({ to, text }) => (
          <li key={to}>
            <Link to={to}>{text}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function NavigationMenu({ navLabel, nav, head }: NavigationProps) {
  return (
    <Disclosure
      className="workspace__menu"
      button={
        <>
          <Icon name="menu" />
          {navLabel}
          <Unread number={unreadIn(nav)} />
        </>
      }
    >
      <nav aria-label={navLabel}>
        {head}
        <Groups nav={nav} />
      </nav>
    </Disclosure>
  );
}

function Groups({ nav }: { nav: readonly NavGroup[] }) {
  const { pathname } = useLocation();
  return nav.map(({ heading, entries }, index) => (
    <div className="workspace__group" key={heading ?? index}>
      {heading && <p className="workspace__heading">{heading}</p>}
      <ul aria-label={heading}>
        {entries.map(({ to, text, unread, isAboveCurrent }) => (
          <li key={to}>
            <Link
              className="workspace__link"
              to={to}
              aria-current={isAt(pathname, to) ? 'page' : isAboveCurrent ? 'true' : undefined}
            >
              {text}
              <Unread number={unread} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}

const unreadIn = (nav: readonly NavGroup[]) =>
  nav.flatMap(({ entries }) => entries).reduce((sum, { unread = 0 }) => sum + unread, 0);

/** Renders nothing if the number is 0 or not known. */
function Unread({ number = 0 }: { number: number | undefined }) {
  if (number === 0) return null;
  return (
    <span className="workspace__unread">
      <span aria-hidden="true">{number > 99 ? '99+' : number}</span>
      <span className="visually-hidden">, {number} unread</span>
    </span>
  );
}

/** A trailing slash never matters. */
const isAt = (pathname: string, to: string) => pathname.replace(/\/$/, '') === to.replace(/\/$/, '');
