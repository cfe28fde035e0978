import './admin-mail.css';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Mail } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { newIdempotencyKey } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { type Column, DataTable } from '../../workspace/DataTable.js';
import { EmailAddress } from '../../workspace/EmailAddress.js';
import { Empty } from '../../workspace/Empty.js';
import { ExportLink } from '../../workspace/ExportLink.js';
import { oneOf, useListFilter } from '../../workspace/list-filter.js';
import { MailStateLabel } from '../../workspace/MailStateLabel.js';
import { NoMatches } from '../../workspace/NoMatches.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { pathOf } from '../../workspace/path.js';
import type { ChangeResult } from '../../workspace/query.js';
import { When } from '../../workspace/When.js';
import { mailTemplateName, mailStateWords } from '../../workspace/mail-states.js';
import { mailFilterNames, MailFilters } from './MailFilters.js';
import { MailSummary } from './MailSummary.js';
import { reasonNotToResend } from './words.js';

const size = 10;

const columns: readonly Column<Mail>[] = [
  { key: 'when', head: 'Created', cell: ({ createdAt }) => <When at={createdAt} time /> },
  { key: 'to', head: 'To', alwaysShown: true, cell: ({ to }) => <EmailAddress email={to} /> },
  { key: 'mail', head: 'Mail', cell: (mail) => mail.subject ?? mailTemplateName(mail.template) },
  { key: 'state', head: 'State', cell: (mail) => <MailStateLabel mail={mail} /> },
  { key: 'attempts', head: 'Attempts', align: 'end', cell: ({ attempts }) => attempts },
  {
    key: 'answer',
    head: 'Server response',
    cell: ({ answer }) => <span className="mail-server-response">{answer ?? '–'}</span>,
  },
];

export function SentMail() {
  const filter = useListFilter(mailFilterNames);
  const { search, state, campaign } = filter.values;
  const query = { search, state: oneOf(mailStateWords, state), campaign };
  const list = usePaged('GET /mails', query, { size, resizable: true });
  const [resending, setResending] = useState<Mail>();
  const actions: Column<Mail> = {
    key: 'actions',
    head: 'Actions',
    alwaysShown: true,
    align: 'end',
    cell: (mail) =>
      mail.resendable ? (
        <button className="button button--plain" type="button" onClick={() => setResending(mail)}>
          Send again<span className="visually-hidden"> to {mail.to}</span>
        </button>
      ) : (
        <span className="mail-not-resendable">{reasonNotToResend(mail)}</span>
      ),
  };
  return (
    <>
      <MailSummary />
      <section className="panel" aria-label="E-mails">
        <MailFilters filter={filter} />
        <DataTable
          caption="E-mails"
          captionHidden
          skeletonRows={list.size}
          rememberAs="mails"
          tools={<ExportLink href={pathOf('GET /mails/export', { query })} what="e-mails" />}
          rows={list.rows}
          rowKey={({ _id }) => _id}
          columns={[...columns, actions]}
          empty={
            filter.active ? (
              <NoMatches what="e-mails" showAll={filter.clear} />
            ) : (
              <Empty title="No e-mails sent yet" action={<Link to="/setting/mailText">Edit templates</Link>}>
                E-mails to customers and admins appear here.
              </Empty>
            )
          }
        />
        {Boolean(list.rows.total) && <Pager label="e-mails" list={list} />}
      </section>
      {resending && <ResendDialog mail={resending} close={() => setResending(undefined)} />}
    </>
  );
}

function ResendDialog({ mail: { _id, to, subject, template }, close }: { mail: Mail; close(): void }) {
  // Repeated attempts are the same request, so that a lost answer does not lead to a second e-mail.
  const [idempotencyKey] = useState(newIdempotencyKey);
  async function resend(): Promise<ChangeResult> {
    const answer = await callApi('POST /mail/:id/resend', { params: { id: _id }, idempotencyKey });
    if (!answer.ok) return answer.problem;
    return () => showToast('The e-mail is waiting to be sent again');
  }
  return (
    <ConfirmDialog title="Send this e-mail again?" actionLabel="Send again" close={close} confirm={resend}>
      <p>
        <strong>{to}</strong> gets “{subject ?? mailTemplateName(template)}” again, as a separate e-mail.
      </p>
    </ConfirmDialog>
  );
}
