import { decodeWords } from 'postal-mime';
import { html, type Html } from '../../shared/html.js';
import { createPageRenderer } from '../../shared/page.js';
import type { CaughtMail, ParsedMail } from '../model.js';

const maxShown = 200;

const page = createPageRenderer({
  name: 'Mail catcher',
  stylesheet: '/mail.css',
  banner: html`<strong>LOCAL MAIL CATCHER</strong> These mails were not delivered: they stay on this machine.`,
});

/** Newest first. `to` is the filter by recipient. */
export function mailListPage(mails: readonly CaughtMail[], to: string): string {
  return page(
    'Inbox',
    html`<h1>Inbox</h1>
      <div class="bar">
        <form action="/" method="get" role="search">
          <label for="to">To</label>
          <input id="to" name="to" value="${to}" placeholder="Part of an address" autocomplete="off" />
          <button>Search</button>
        </form>
        <form action="/clear" method="post"><button>Empty the inbox</button></form>
      </div>
      ${
        mails.length === 0
          ? html`<p class="empty">
              ${to ? 'No matching mails.' : 'No mails yet. Mails from the site appear here; register an account to get one.'}
            </p>`
          : html`<p class="quiet">
                ${mails.length}
                mail${mails.length === 1 ? '' : 's'}${mails.length > maxShown ? `, showing the newest ${maxShown}` : ''}
              </p>
              <ul class="mails">
                ${mails.slice(0, maxShown).map(row)}
              </ul>`
      }`,
  );
}

function row({ id, to, subject, receivedAt }: CaughtMail): Html {
  return html`<li>
    <a href="/mails/${id}">${titleOf(subject)}</a>
    <span>${to}</span>
    <time datetime="${receivedAt}">${formatMoment(receivedAt)}</time>
  </li>`;
}

const titleOf = (subject: string) => subject || '(no subject)';

interface ReplyState {
  /** Whether there is a site that gets the replies. */
  hasReplySite: boolean;
  /** The status of the site’s answer to the reply that was just sent. */
  replyStatus: string | undefined;
}

export function mailPage(mail: ParsedMail, { hasReplySite, replyStatus }: ReplyState): string {
  // Names in addresses may be encoded words (RFC 2047), which `mail.headers` does not decode.
  const headers = mail.headers.map(({ name, value }) => ({ name, value: decodeWords(value) }));
  const field = (name: string) => headers.find((header) => header.name === name)?.value;
  const rows: [string, string | undefined][] = [
    ['From', field('from')],
    ['To', field('to')],
    ['Reply to', field('reply-to')],
    ['Delivered to', mail.to],
    ['Received', formatMoment(mail.receivedAt)],
  ];
  return page(
    titleOf(mail.subject),
    html`<p><a href="/">Inbox</a></p>
      <h1>${titleOf(mail.subject)}</h1>
      <dl class="facts">
        ${rows
          .filter(([, value]) => value)
          .map(
            ([name, value]) =>
              html`<div>
                <dt>${name}</dt>
                <dd>${value}</dd>
              </div>`,
          )}
      </dl>
      ${
        mail.html
          ? html`<h2>HTML</h2>
              <iframe
                title="The mail as HTML"
                src="/mails/${mail.id}/html"
                sandbox="allow-popups allow-popups-to-escape-sandbox"
              ></iframe>`
          : null
      }
      <h2>Plain text</h2>
      <pre>${linked(mail.text)}</pre>
      ${hasReplySite && field('reply-to') ? replyForm(mail, replyStatus) : null}
      <details>
        <summary>Headers</summary>
        <pre>${headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre>
      </details>
      <details>
        <summary>The whole message</summary>
        <pre>${mail.raw}</pre>
      </details>`,
  );
}

/** The list also links to mails whose content is not kept any more. `kept` is the number of mails whose content is kept. */
export function noSuchMailPage(kept: number): string {
  return page(
    'No such mail',
    html`<p><a href="/">Inbox</a></p>
      <h1>No such mail</h1>
      <p>
        Either the inbox was emptied, or the content of this mail is not kept any more. Only the newest
        ${kept} mails are kept with their content.
      </p>`,
  );
}

function replyForm({ id, to }: ParsedMail, status: string | undefined): Html {
  return html`<h2>Reply as ${to}</h2>
    ${status === undefined ? null : html`<p role="status">${status === '200' ? 'Reply sent to the site.' : `The site refused the reply (${status}).`}</p>`}
    <form class="reply" action="/mails/${id}/reply" method="post">
      <label for="text">Your reply</label>
      <textarea id="text" name="text" rows="5" required></textarea>
      <button>Send reply</button>
    </form>`;
}

function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>` : html`${part}`,
    );
}

function formatMoment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
