import './account.css';
import { useRef, useState } from 'react';
import type { Account } from '#libs/contracts';
import { useAccount } from '../../workspace/current-screen.js';
import { focusWhenShown } from '../../workspace/focus-content.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { useSellerIssuesInvoices } from '../../workspace/invoices/seller-issues-invoices.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery } from '../../workspace/query.js';
import { Status } from '../../workspace/Status.js';
import { Billing } from './Billing.js';
import { ChangeEmail } from './ChangeEmail.js';
import { ChangePassword } from './ChangePassword.js';
import { OwnData } from './OwnData.js';
import { Sessions } from './Sessions.js';

export function Component() {
  const account = useAccount();
  return (
    <CustomerScreen title="Your account" lead={`You’re signed in as ${account.email}.`}>
      <Panels account={account} />
    </CustomerScreen>
  );
}

function Panels({ account }: { account: Account }) {
  const methods = useQuery('GET /auth/methods');
  const issuesInvoices = useSellerIssuesInvoices();
  return (
    <Loaded query={methods}>
      {({ password }) => (
        <>
          <SignInDetails account={account} hasPassword={password} />
          <Billing />
          <Sessions />
          <OwnData hasPassword={password} issuesInvoices={issuesInvoices} />
        </>
      )}
    </Loaded>
  );
}

/** Only one form is open at a time: both can have a field `currentPassword`, whose name must be unique on the screen. */
function SignInDetails({ account, hasPassword }: { account: Account; hasPassword: boolean }) {
  const [openForm, setOpenForm] = useState<'email' | 'password'>();
  const emailButton = useRef<HTMLButtonElement>(null);
  const passwordButton = useRef<HTMLButtonElement>(null);
  function close(): void {
    setOpenForm(undefined);
    focusWhenShown(openForm === 'email' ? emailButton : passwordButton);
  }
  return (
    <section className="panel" aria-labelledby="sign-in-details">
      <h2 id="sign-in-details">Sign-in details</h2>
      <div className="account-row">
        <div className="account-row__text">
          <p className="account-row__name">E-mail</p>
          <p className="account-row__value">{account.email}</p>
          <Status tone={account.emailVerified ? 'good' : 'waiting'}>
            {account.emailVerified ? 'Confirmed' : 'Not confirmed yet'}
          </Status>
        </div>
        {openForm === 'email' ? (
          <ChangeEmail hasPassword={hasPassword} close={close} />
        ) : (
          <button
            className="button button--quiet"
            type="button"
            ref={emailButton}
            onClick={() => setOpenForm('email')}
          >
            Change e-mail
          </button>
        )}
      </div>
      <div className="account-row">
        <div className="account-row__text">
          <p className="account-row__name">Password</p>
          <p className="account-row__value">
            {hasPassword
              ? 'Changing your password signs you out on other devices.'
              : 'No password. You sign in another way.'}
          </p>
        </div>
        {openForm === 'password' ? (
          <ChangePassword email={account.email} hasPassword={hasPassword} close={close} />
        ) : (
          <button
            className="button button--quiet"
            type="button"
            ref={passwordButton}
            onClick={() => setOpenForm('password')}
          >
            {hasPassword ? 'Change password' : 'Set password'}
          </button>
        )}
      </div>
    </section>
  );
}
