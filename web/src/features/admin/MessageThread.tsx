import '../../workspace/thread.css';
import { type FormEvent, useState } from 'react';
import type { MessageEntry, MessageWithThread } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { useIdempotencyKeys } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { useAccount } from '../../workspace/current-screen.js';
import { draftKey, dropDraft, keepDraft, readDraft } from '../../workspace/drafts.js';
import { oneOf } from '../../workspace/list-filter.js';
import { MailStateLabel } from '../../workspace/MailStateLabel.js';
import { useSave } from '../../workspace/query.js';
import { submitOnCtrlEnter } from '../../workspace/submit-on-ctrl-enter.js';
import { useMarkUnsaved } from '../../workspace/unsaved.js';
import { When } from '../../workspace/When.js';

type Kind = MessageEntry['kind'];

export function MessageThread({ message }: { message: MessageWithThread }) {
  return (
    <section className="panel" aria-labelledby="thread-heading">
      <h2 id="thread-heading">Replies and notes</h2>
      {message.thread.length > 0 && (
        <ol className="thread">
          {message.thread.map((entry) => (
            <li className={`thread__entry thread__entry--${entry.kind}`} key={entry._id}>
              <Entry entry={entry} />
            </li>
          ))}
        </ol>
      )}
      <Composer message={message} />
    </section>
  );
}

function Entry({ entry: { kind, author, createdAt, mail, text } }: { entry: MessageEntry }) {
  return (
    <>
      <p className="thread__head">
        <strong>{kind === 'reply' ? 'Reply' : 'Note'}</strong> by {author}, <When at={createdAt} time />{' '}
        {mail && <MailStateLabel mail={mail} />}
      </p>
      <p className="thread__text">{text}</p>
    </>
  );
}

const kinds = {
  reply: { choice: 'Reply by e-mail', label: 'Your reply', action: 'Send reply', toast: 'Reply sent' },
  note: { choice: 'Note for staff', label: 'Your note', action: 'Add note', toast: 'Note added' },
} as const;

function Composer({ message }: { message: MessageWithThread }) {
  const { id } = useAccount();
  const key = draftKey(id, 'message', message._id);
  const [{ kind, text }, setDraft] = useState(() => {
    const { kind: kept, text: typed = '' } = readDraft(key, new Date())?.values ?? {};
    return { kind: oneOf(kinds, kept) ?? 'reply', text: typed };
  });
  const keyFor = useIdempotencyKeys();
  useMarkUnsaved(text !== '');

  function change(draft: { kind: Kind; text: string }): void {
    setDraft(draft);
    if (draft.text) keepDraft(key, { values: draft, version: null }, new Date());
    else dropDraft(key);
  }

  const { save, saving, problem } = useSave(async () => {
    const answer = await callApi(`POST /message/:id/${kind}`, {
      params: { id: message._id },
      body: { text },
      idempotencyKey: keyFor({ kind, text }),
    });
    if (!answer.ok) {
      const [fault] = answer.problem.fields;
      return fault
        ? { ...answer.problem, sentence: `${kinds[kind].label} ${fault.message}.` }
        : answer.problem;
    }
    return () => {
      keyFor.renew();
      change({ kind: 'reply', text: '' });
      showToast(kinds[kind].toast);
    };
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    void save();
  }

  return (
    <form className={`form composer composer--${kind}`} method="post" onSubmit={submit}>
      <KindChoice kind={kind} choose={(chosen) => change({ kind: chosen, text })} />
      <div className="field">
        <label htmlFor="entry">{kinds[kind].label}</label>
        <textarea
          className="field__input"
          id="entry"
          rows={6}
          dir="auto"
          maxLength={10_000}
          required
          value={text}
          // Text typed while sending would be lost, because the field is emptied afterwards.
          readOnly={saving}
          aria-describedby="entry-hint"
          onChange={({ target }) => change({ kind, text: target.value })}
          onKeyDown={submitOnCtrlEnter}
        />
        <p className="composer__hint" id="entry-hint">
          {kind === 'reply'
            ? `We’ll e-mail your reply to ${message.emailAddress}, with their message quoted below it.`
            : 'Only staff can see notes.'}
        </p>
      </div>
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={saving}>
          {saving ? 'One moment' : kinds[kind].action}
        </button>
      </p>
    </form>
  );
}

function KindChoice({ kind, choose }: { kind: Kind; choose(kind: Kind): void }) {
  return (
    <fieldset className="composer__kinds">
      <legend className="visually-hidden">Write a reply or a note</legend>
      {(['reply', 'note'] as const).map((value) => (
        <label key={value}>
          <input
            type="radio"
            name="kind"
            value={value}
            checked={kind === value}
            onChange={() => choose(value)}
          />
          {kinds[value].choice}
        </label>
      ))}
    </fieldset>
  );
}
