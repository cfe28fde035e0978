import './admin-mail.css';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Mail } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { notify } from '../../lib/notices.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged, withParams } from '../../workspace/paging.js';
import { SearchField } from '../../workspace/SearchField.js';
import { useSearchText } from '../../workspace/search-text.js';
import { Status } from '../../workspace/Status.js';
import { When } from '../../workspace/When.js';
import { MailSummary } from './MailSummary.js';
import { kindOf, stateWords } from './words.js';

/** Of a page. */
const size = 10;

/** Every mail that went out or is to, newest first, with what the mail server said. */
export function SentMail() {
  const { text, look } = useSearchText();
  const [search, setSearch] = useSearchParams();
  const state = search.get('state') ?? '';
  const query = new URLSearchParams({ ...(text && { search: text }), ...(state && { state }) });
  const list = usePaged<Mail>(query.size > 0 ? `/mails?${query}` : '/mails', { size, resizable: true });
  const [again, setAgain] = useState<Mail>();
  const isFiltered = query.size > 0;
  return (
    <>
      <MailSummary />
      <section className="panel" aria-label="Mails">
        <form
          className="mail-filters"
          role="search"
          aria-label="Mails"
          onSubmit={(event) => event.preventDefault()}
        >
          <SearchField value={text} placeholder="Address or subject" look={look} />
          <div className="field">
            <label htmlFor="mail-state">State</label>
            <select
              className="field__input"
              id="mail-state"
              value={state}
              onChange={({ target }) =>
                setSearch((before) => withParams(before, { page: null, state: target.value }), {
                  preventScrollReset: true,
                  replace: true,
                })
              }
            >
              <option value="">All</option>
              {Object.entries(stateWords).map(([value, { word }]) => (
                <option key={value} value={value}>
                  {word}
                </option>
              ))}
            </select>
          </div>
        </form>
        <DataTable
          caption="Mails"
          captionHidden
          size={list.size}
          remember="mails"
          rows={list.rows}
          rowKey={({ _id }) => _id}
          columns={[
            { key: 'when', head: 'Asked for', cell: ({ createdAt }) => <When at={createdAt} time /> },
            {
              key: 'to',
              head: 'To',
              always: true,
              cell: ({ to }) => <span className="mail-address">{to}</span>,
            },
            { key: 'mail', head: 'Mail', cell: (mail) => mail.subject ?? kindOf(mail.template) },
            { key: 'state', head: 'State', cell: (mail) => <State mail={mail} /> },
            { key: 'attempts', head: 'Attempts', align: 'end', cell: ({ attempts }) => attempts },
            {
              key: 'answer',
              head: 'The server’s answer',
              cell: ({ answer }) => <span className="mail-answer">{answer ?? '–'}</span>,
            },
            {
              key: 'actions',
              head: 'Actions',
              always: true,
              align: 'end',
              cell: (mail) =>
                mail.resendable ? (
                  <button className="button button--plain" type="button" onClick={() => setAgain(mail)}>
                    Send again<span className="visually-hidden"> to {mail.to}</span>
                  </button>
                ) : (
                  '–'
                ),
            },
          ]}
          empty={
            isFiltered ? (
              <Empty title="No mail is like this">Search for another address, or show all states.</Empty>
            ) : (
              <Empty
                title="No mail has gone out yet"
                action={<Link to="/setting/mailText">Word the mails</Link>}
              >
                What the site sends to customers and admins appears here, with what became of it.
              </Empty>
            )
          }
        />
        {Boolean(list.rows.total) && <Pager label="mails" list={list} />}
      </section>
      {again && (
        <ConfirmDialog
          title="Send this mail again?"
          action="Send again"
          close={() => setAgain(undefined)}
          confirm={async () => {
            const answer = await callApi(`/mail/${again._id}/resend`, { method: 'POST' });
            if (!answer.ok) return answer.problem;
            notify('Mail is Sent Again');
            list.rows.retry();
            return undefined;
          }}
        >
          <p>
            <strong>{again.to}</strong> gets “{again.subject ?? kindOf(again.template)}” once more, as a mail
            of its own.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function State({ mail: { state, bouncedAt } }: { mail: Mail }) {
  if (bouncedAt) return <Status tone="fault">Came back</Status>;
  const { word, tone } = stateWords[state];
  return <Status tone={tone}>{word}</Status>;
}
