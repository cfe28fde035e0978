import { type ComponentType, lazy, Suspense } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { siteNameOf } from '#libs/content-model';
import { Disclosure } from '../components/Disclosure.js';
import { Icon } from '../components/Icon.js';
import { Picture } from '../components/Picture.js';
import { useSession } from '../lib/session.js';
import { singleRecord, type ShownRecord, useSite } from '../lib/site.js';

export function Header() {
  const site = useSite();
  return (
    <header className="header">
      <div className="header__row wrap">
        <Link className="header__logo" to="/">
          <Logo logo={singleRecord(site.logo)} name={siteNameOf(site) ?? 'Home'} />
        </Link>
        <nav className="header__nav" aria-label="Main">
          <NavItems />
        </nav>
        <div className="header__end">
          <AccountArea />
          <Menu />
        </div>
      </div>
    </header>
  );
}

function Logo({ logo, name }: { logo: ShownRecord<'logo'> | undefined; name: string }) {
  if (!logo?.logo) return <span className="header__name">{name}</span>;
  return <Picture src={logo.logo} onDark={logo.logoOnDark} alt={name} width={194} height={40} eager />;
}

function Menu() {
  return (
    <Disclosure
      className="menu"
      buttonClassName="menu__button"
      button={
        <>
          <Icon name="menu" />
          <span className="menu__word">Menu</span>
        </>
      }
    >
      <nav className="menu__panel" aria-label="Menu">
        <NavItems />
      </nav>
    </Disclosure>
  );
}

/** Loaded only for people who are signed in. If loading fails, the page is shown without it. */
const AccountMenu = lazy<ComponentType<{ account: Account }>>(() =>
  import('../workspace/AccountMenu.js').then(
    (module) => ({ default: module.AccountMenu }),
    () => ({ default: () => null }),
  ),
);

function AccountArea() {
  const session = useSession();
  if (session.status !== 'signed-in') return null;
  return (
    <Suspense>
      <AccountMenu account={session.account} />
    </Suspense>
  );
}

function NavItems() {
  const session = useSession();
  const signedIn = session.status === 'signed-in';
  return (
    <ul className="nav">
      <Item to="/" text="Home" />
      <Item to="/pricing/" text="Pricing" />
      <Item to="/contact" text="Contact" />
      {signedIn && session.account.role === 'Admin' && <Item to="/admin" text="Admin" />}
      {signedIn ? <Item to="/dashboard" text="Dashboard" action /> : <Item to="/login" text="Login" action />}
    </ul>
  );
}

function Item({ to, text, action = false }: { to: string; text: string; action?: boolean }) {
  const { pathname } = useLocation();
  return (
    <li>
      <Link
        className={action ? 'nav__link nav__link--action' : 'nav__link'}
        to={to}
        aria-current={isWithin(pathname, to) ? 'page' : undefined}
      >
        {text}
      </Link>
    </li>
  );
}

/** Whether `pathname` is the page at `to`, or below it. A trailing slash never matters. The landing page has nothing below it. */
function isWithin(pathname: string, to: string): boolean {
  const page = to.replace(/\/$/, '');
  return pathname === to || pathname === page || (page !== '' && pathname.startsWith(`${page}/`));
}
