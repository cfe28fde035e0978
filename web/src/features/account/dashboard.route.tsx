import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { RequireSignIn } from '../../components/RequireSignIn.js';
import type { Problem } from '../../lib/api.js';
import { signOut } from '../../lib/session.js';

export function Component() {
  return <RequireSignIn>{(account) => <Dashboard account={account} />}</RequireSignIn>;
}

function Dashboard({ account }: { account: Account }) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<Problem>();
  async function leave() {
    const answer = await signOut();
    if (answer.ok) await navigate('/');
    else setProblem(answer.problem);
  }
  return (
    <section className="screen wrap">
      <h1>Welcome to User Dashboard</h1>
      <p className="lead">You are signed in as {account.email}.</p>
      <p>Your orders will be listed here once ordering has opened.</p>
      <FormProblem problem={problem} />
      <p>
        <button className="button button--quiet" type="button" onClick={() => void leave()}>
          Signout
        </button>
      </p>
    </section>
  );
}
