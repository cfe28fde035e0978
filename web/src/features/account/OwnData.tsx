import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { FormProblem } from '../../components/FormProblem.js';
import { PasswordField } from '../../components/PasswordField.js';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { type ChangeResult, useQuery, useSave } from '../../workspace/query.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { useAccount } from '../../workspace/current-screen.js';
import { saveFile } from '../../workspace/download.js';
import { announceSessionChange } from '../../lib/announce-session-change.js';

interface OwnDataProps {
  hasPassword: boolean;
  /** Passed in: once the account is deleted, nothing can be read from the server here. */
  issuesInvoices: boolean;
}

export function OwnData({ hasPassword, issuesInvoices }: OwnDataProps) {
  const [deleting, setDeleting] = useState(false);
  const [deleted, setDeleted] = useState(false);
  const navigate = useNavigate();
  useEffect(() => {
    if (!deleted) return;
    void navigate('/');
    // Runs once this screen has been left. An earlier announcement would make this screen ask the person to sign in.
    return announceSessionChange;
  }, [deleted, navigate]);
  return (
    <section className="panel" aria-labelledby="own-data">
      <h2 id="own-data">Your data</h2>
      <Download />
      <div className="account-row">
        <div className="account-row__text">
          <p className="account-row__name">Delete your account</p>
          <p className="account-row__value">
            This is permanent. We keep the amounts and dates of your orders and the content of your projects,
            but not your personal details
            {issuesInvoices && ', except on your invoices, which the law requires us to keep'}.
          </p>
        </div>
        <button className="button button--quiet" type="button" onClick={() => setDeleting(true)}>
          Delete account
        </button>
      </div>
      {deleting && (
        <DeleteDialog
          hasPassword={hasPassword}
          issuesInvoices={issuesInvoices}
          onDeleted={() => setDeleted(true)}
          close={() => setDeleting(false)}
        />
      )}
    </section>
  );
}

function Download() {
  const {
    save: download,
    saving: fetching,
    problem,
  } = useSave(async () => {
    const answer = await callApi('GET /auth/my-data');
    if (!answer.ok) return answer.problem;
    // Not a link, so that an expired access token is renewed first and a failure is shown here.
    saveFile(new Blob([JSON.stringify(answer.value, null, 2)], { type: 'application/json' }), 'my-data.json');
    return undefined;
  });
  return (
    <div className="account-row">
      <div className="account-row__text">
        <p className="account-row__name">Download your data</p>
        <p className="account-row__value">
          A JSON file with your account, sign-in methods, sessions, orders, monthly plans, invoices, billing
          details, projects, messages, newsletter subscription and the e-mails we sent you.
        </p>
        <FormProblem problem={problem} />
      </div>
      <button
        className="button button--quiet"
        type="button"
        aria-disabled={fetching}
        onClick={() => void download()}
      >
        {fetching ? 'One moment' : 'Download data'}
      </button>
    </div>
  );
}

interface DeleteDialogProps {
  hasPassword: boolean;
  issuesInvoices: boolean;
  onDeleted(): void;
  close(): void;
}

function DeleteDialog({ hasPassword, issuesInvoices, onDeleted, close }: DeleteDialogProps) {
  const { emailVerified } = useAccount();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  async function deleteAccount(): Promise<ChangeResult> {
    const body = hasPassword ? { currentPassword: password } : {};
    const answer = await callApi('POST /auth/delete-account', { body });
    if (!answer.ok) {
      const [fault] = answer.problem.fields;
      return fault ? { ...answer.problem, sentence: fault.message } : answer.problem;
    }
    // The account's session has ended, so nothing that this screen shows can be read again.
    client.clear();
    onDeleted();
    return () => showToast('Account deleted');
  }
  return (
    <ConfirmDialog
      title="Delete your account?"
      actionLabel="Delete account"
      confirm={deleteAccount}
      close={close}
    >
      <p>
        You can’t undo this.{' '}
        {/* What was written from an unconfirmed address may be somebody else's, so it is kept. */}
        {emailVerified &&
          'Your newsletter subscription and what you sent with the contact form are deleted too. '}
        Messages, files and answers in projects stay, without your name.
      </p>
      {issuesInvoices && (
        <p>
          The law requires us to keep your invoices. Download them first: you can’t open them here afterwards.
        </p>
      )}
      <EndingPlans />
      {hasPassword && (
        <PasswordField
          name="deletingPassword"
          label="Current password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          required
        />
      )}
    </ConfirmDialog>
  );
}

/** Says that running plans end with the account. While they are not known, the sentence begins with ‘If you have a monthly plan’. */
function EndingPlans() {
  const plans = useQuery('GET /plan-subscriptions', { query: { own: true } });
  if (plans.problem || !plans.data)
    return (
      <p>
        <strong>If you have a monthly plan, it ends right away, and you won’t be charged again.</strong>
      </p>
    );
  const names = plans.data.filter(({ state }) => state !== 'ended').map(({ packageName }) => packageName);
  if (names.length === 0) return null;
  const list = new Intl.ListFormat('en-US').format(names);
  return (
    <p>
      <strong>
        {names.length === 1
          ? `Your monthly plan ${list} ends right away`
          : `Your monthly plans ${list} end right away`}
        , and you won’t be charged again.
      </strong>
    </p>
  );
}
