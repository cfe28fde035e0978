import { useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { Icon } from '../components/Icon.js';
import { Picture } from '../components/Picture.js';
import { useSession } from '../lib/session.js';
import { only, siteName, useSite } from '../lib/site.js';

export function Header() {
  const site = useSite();
  return (
    <header className="header">
      <div className="header__row wrap">
        <Link className="header__logo" to="/">
          <Logo address={only(site.logo)?.logo} name={siteName(site) ?? 'Home'} />
        </Link>
        <nav className="header__nav" aria-label="Main">
          <NavItems />
        </nav>
        <Menu />
      </div>
    </header>
  );
}

function Logo({ address, name }: { address: string | undefined; name: string }) {
  if (!address) return <span className="header__name">{name}</span>;
  return <Picture src={address} alt={name} width={194} height={40} eager />;
}

/** For narrow screens. A `<details>` opens without JavaScript. */
function Menu() {
  const details = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  // Navigating closes the menu.
  const { key } = useLocation();
  const closeOnEscape = (event: React.KeyboardEvent) => {
    if (event.key !== 'Escape' || !details.current?.open) return;
    details.current.open = false;
    summary.current?.focus();
  };
  return (
    <details className="menu" key={key} ref={details} onKeyDown={closeOnEscape}>
      <summary className="menu__button" ref={summary}>
        <Icon name="menu" />
        Menu
      </summary>
      <nav className="menu__panel" aria-label="Menu">
        <NavItems />
      </nav>
    </details>
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
  return (
    <li>
      <NavLink className={action ? 'nav__link nav__link--action' : 'nav__link'} to={to} end={to === '/'}>
        {text}
      </NavLink>
    </li>
  );
}
