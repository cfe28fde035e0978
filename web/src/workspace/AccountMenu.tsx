import './account-menu.css';
import { Link } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { Disclosure } from '../components/Disclosure.js';
import { FormProblem } from '../components/FormProblem.js';
import { useSignOut } from './sign-out.js';

export function AccountMenu({ account: { email, name, role } }: { account: Account }) {
  const { signOut, problem } = useSignOut();
  return (
    <Disclosure
      className="account-menu"
      buttonClassName="account-menu__button"
      button={
        <>
          <span aria-hidden="true">{[...(name ?? email).trim()][0]?.toUpperCase()}</span>
          <span className="visually-hidden">Your account</span>
        </>
      }
    >
      <div className="account-menu__panel">
        <p className="account-menu__who">
          {role === 'Admin' ? 'Signed in as admin' : 'Signed in as'} <strong>{email}</strong>
        </p>
        <ul>
          {role === 'Admin' && <Entry to="/admin" text="Admin panel" />}
          <Entry to="/my-order" text="My orders" />
          <Entry to="/account" text="Account" />
          <Entry to="/account/security" text="Security" />
        </ul>
        <FormProblem problem={problem} />
        <button className="account-menu__entry" type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </Disclosure>
  );
}

function Entry({ to, text }: { to: string; text: string }) {
  return (
    <li>
      <Link className="account-menu__entry" to={to}>
        {text}
      </Link>
    </li>
  );
}
