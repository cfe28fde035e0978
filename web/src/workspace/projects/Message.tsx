import { type FormEvent, useId, useRef, useState } from 'react';
import { editableMs, type ThreadMessage, type ThreadNote } from '#libs/contracts';
import { Disclosure } from '../../components/Disclosure.js';
import { FormProblem } from '../../components/FormProblem.js';
import { Glyph } from '../../components/Icon.js';
import type { Problem } from '../../lib/api.js';
import { ConfirmDialog } from '../ConfirmDialog.js';
import { useAccount } from '../current-screen.js';
import { formatDateTime, formatTime } from '../formats.js';
import { useLeaveGuard } from '../leave-guard.js';
import { LeaveDialog } from '../LeaveDialog.js';
import { submitOnCtrlEnter } from '../submit-on-ctrl-enter.js';
import { FileList } from './FileList.js';
import { MessageText } from './MessageText.js';
import { useNow } from './now.js';
import { deletedText, initials } from './words.js';

interface MessageProps {
  message: ThreadMessage | ThreadNote;
  /** The reader’s side. */
  side: 'customer' | 'staff';
  /** Shown beside the names of the other side: the site’s name, or 'Customer'. */
  otherSideLabel: string;
  edit(text: string): Promise<Problem | undefined>;
  remove(): Promise<Problem | undefined>;
  quote?(message: ThreadMessage): void;
  /** The entry shown directly before is of the same kind, by the same person and only minutes older, so the name is not repeated. */
  isContinuation: boolean;
  /** This is the last message of the reader’s side, and the other side has read it. */
  isSeen: boolean;
  /** Undefined if the quoted message is not in the list. */
  quoted: ThreadMessage | undefined;
}

const lockPath = 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3';
const dotsPath = 'M5.5 12h.01M12 12h.01M18.5 12h.01';

export function Message(props: MessageProps) {
  const { message, side, otherSideLabel, isContinuation, isSeen, quoted } = props;
  const { by, at, seq, text, files, editedAt, deletedAt } = message;
  const { id } = useAccount();
  const [editing, setEditing] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const isNote = message.kind === 'note';
  const isOwn = by.accountId === id;
  const classes = [
    'message',
    isOwn && 'message--own',
    by.side !== 'customer' && 'message--staff',
    isNote && 'message--note',
    isContinuation && 'message--continued',
  ];
  return (
    <li className={classes.filter(Boolean).join(' ')} id={`entry-${seq}`} data-entry ref={item} tabIndex={-1}>
      <span className="avatar" aria-hidden="true">
        {initials(by.name)}
      </span>
      <div className="message__main">
        <p className="message__head">
          <strong className="message__name">{isOwn ? 'You' : by.name}</strong>
          {by.side !== side && by.side !== 'system' && (
            <span className="message__side">{otherSideLabel}</span>
          )}
          {isNote && (
            <span className="message__side">
              <Glyph path={lockPath} />
              Note – only staff see this
            </span>
          )}
          <time className="message__time" dateTime={at} title={formatDateTime(at)}>
            {formatTime(at)}
          </time>
          {editedAt && !deletedAt && (
            <span className="message__mark" title={formatDateTime(editedAt)}>
              Edited
            </span>
          )}
          {message.kind === 'message' && message.byMail && <span className="message__mark">By e-mail</span>}
        </p>
        {deletedAt ? (
          <p className="message__deleted">{deletedText(message)}</p>
        ) : editing ? (
          <EditForm
            {...props}
            close={() => {
              setEditing(false);
              item.current?.focus();
            }}
          />
        ) : (
          <div className="message__body">
            {message.kind === 'message' && message.quote && (
              <QuotedText quote={message.quote} quoted={quoted} />
            )}
            {text && <MessageText text={text} />}
            {message.kind === 'message' && message.folded && (
              <details className="message__folded fold">
                <summary>Quoted mail</summary>
                <p dir="auto">{message.folded}</p>
              </details>
            )}
            <FileList files={files} label="Files" />
          </div>
        )}
        {isSeen && <p className="message__seen">{side === 'staff' ? 'Seen by the customer' : 'Seen'}</p>}
      </div>
      {!deletedAt && !editing && (
        <Actions {...props} startEditing={() => setEditing(true)} onDeleted={() => item.current?.focus()} />
      )}
    </li>
  );
}

function QuotedText({
  quote,
  quoted,
}: {
  quote: NonNullable<ThreadMessage['quote']>;
  quoted: ThreadMessage | undefined;
}) {
  // `quote` is as it was when this entry was read. Its text is empty if the quoted message has only files, or was deleted before that.
  const text = quoted?.deletedAt
    ? deletedText(quoted)
    : (quoted ?? quote).text.slice(0, 300) || 'Message without text';
  function go(): void {
    const element = document.getElementById(`entry-${quoted?.seq}`);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }
  return (
    <blockquote className="message__quote" dir="auto">
      <cite>{quote.name}</cite>
      {quoted === undefined ? (
        <p>{text}</p>
      ) : (
        <button type="button" onClick={go}>
          {text}
          <span className="visually-hidden"> (go to this message)</span>
        </button>
      )}
    </blockquote>
  );
}

/** Messages and notes can be edited only for a while, but deleted at any time. */
function Actions({
  message,
  side,
  quote,
  remove,
  startEditing,
  onDeleted,
}: MessageProps & { startEditing(): void; onDeleted(): void }) {
  const { id } = useAccount();
  const now = useNow();
  const [deleting, setDeleting] = useState(false);
  // An admin can be on the customer’s side of a project, too.
  const isDeletable = message.by.accountId === id && message.by.side === side;
  const isEditable = isDeletable && message.text !== '' && now - Date.parse(message.at) < editableMs;
  const quoteIt = message.kind === 'message' && quote ? () => quote(message) : undefined;
  const choices = [
    quoteIt && { text: 'Quote', choose: quoteIt },
    isEditable && { text: 'Edit', choose: startEditing },
    isDeletable && { text: 'Delete', choose: () => setDeleting(true) },
  ].filter((choice) => typeof choice === 'object');
  if (choices.length === 0) return null;
  return (
    <>
      <Disclosure
        className="message__actions"
        buttonClassName="message__more"
        button={
          <>
            <Glyph path={dotsPath} />
            <span className="visually-hidden">
              Actions for {message.by.name}’s {message.kind}, {formatTime(message.at)}
            </span>
          </>
        }
      >
        <div className="message__menu">
          {choices.map(({ text, choose }) => (
            <button
              key={text}
              type="button"
              onClick={({ currentTarget }) => {
                const menu = currentTarget.closest('details');
                // This button cannot have the focus once the menu is closed.
                menu?.querySelector('summary')?.focus();
                menu?.removeAttribute('open');
                choose();
              }}
            >
              {text}
            </button>
          ))}
        </div>
      </Disclosure>
      {deleting && (
        <DeleteDialog
          message={message}
          remove={remove}
          onDeleted={onDeleted}
          close={() => setDeleting(false)}
        />
      )}
    </>
  );
}

type DeleteDialogProps = Pick<MessageProps, 'message' | 'remove'> & { onDeleted(): void; close(): void };

function DeleteDialog({ message, remove, onDeleted, close }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      title={message.kind === 'note' ? 'Delete this note?' : 'Delete this message?'}
      actionLabel="Delete"
      confirm={async () => (await remove()) ?? onDeleted}
      close={close}
    >
      <p>
        Its text and files will be gone for everybody. Others will see that something was deleted. You can’t
        undo this.
      </p>
    </ConfirmDialog>
  );
}

function EditForm({ message, edit, close }: Pick<MessageProps, 'message' | 'edit'> & { close(): void }) {
  const id = useId();
  const [text, setText] = useState(message.text);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const leaving = useLeaveGuard(text !== message.text);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (saving) return;
    if (text.trim() === '')
      return setProblem({
        status: 0,
        sentence: `The ${message.kind} is empty. To remove it, delete it.`,
        fields: [],
      });
    setSaving(true);
    const refusal = await edit(text.trim());
    setSaving(false);
    if (!refusal) return close();
    setProblem(refusal);
  }

  return (
    <form className="message__edit" method="post" onSubmit={(event) => void save(event)}>
      <label className="visually-hidden" htmlFor={id}>
        Edit your {message.kind}
      </label>
      <textarea
        className="field__input composing__text"
        id={id}
        rows={2}
        dir="auto"
        maxLength={20_000}
        value={text}
        // Text typed while the change is being saved would be lost.
        readOnly={saving}
        // The person has just chosen to edit.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          // While an input method composes a character, Escape cancels only the composition.
          if (event.key !== 'Escape') submitOnCtrlEnter(event);
          else if (!event.nativeEvent.isComposing) close();
        }}
      />
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button button--quiet" type="button" onClick={close}>
          Cancel
        </button>
        <button className="button" type="submit" aria-disabled={saving}>
          {saving ? 'One moment' : 'Save'}
        </button>
      </p>
      <LeaveDialog leaving={leaving} keepsDraft={false} />
    </form>
  );
}
