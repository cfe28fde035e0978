import './projects.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { StaffThreadEntry, ThreadEvent, ThreadMessage } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { Icon } from '../../components/Icon.js';
import { Waiting } from '../../components/Waiting.js';
import type { Answer, Problem } from '../../lib/api.js';
import { useAccount } from '../current-screen.js';
import { dayOf } from '../days.js';
import { Failure } from '../Failure.js';
import { formatTime } from '../formats.js';
import type { LiveThread } from './live-thread.js';
import { Message } from './Message.js';
import type { ThreadCalls } from './thread-calls.js';
import { useThreadScroll } from './thread-scroll.js';
import {
  isAnnouncedTo,
  itemsOf,
  type Reader,
  type ThreadItem,
  type ThreadState,
  unreadOf,
} from './thread-state.js';
import { useNow } from './now.js';
import { deletedText } from './words.js';

export interface ThreadProps<E extends StaffThreadEntry> {
  thread: LiveThread<E>;
  calls: ThreadCalls<E>;
  /** The side that reads the thread. */
  side: 'customer' | 'staff';
  /** Shown beside the names of the other side: the site’s name, or 'Customer'. */
  otherSideLabel: string;
  quote?(message: ThreadMessage): void;
  /** Shown below an event. */
  eventDetails?(event: ThreadEvent): ReactNode;
  /** Stay at the top of the screen at first, because something there is more urgent. */
  startsAtTop?: boolean;
  empty: ReactNode;
  /** The composer. */
  children?: ReactNode;
}

/** Oldest first. */
export function Thread<E extends StaffThreadEntry>(props: ThreadProps<E>) {
  const { state, problem } = props.thread;
  if (state) return <LoadedThread {...props} state={state} />;
  return problem ? <Failure query={props.thread} /> : <Waiting />;
}

type LoadedThreadProps<E extends StaffThreadEntry> = ThreadProps<E> & { state: ThreadState<E> };

function LoadedThread<E extends StaffThreadEntry>({
  thread,
  state,
  startsAtTop = false,
  empty,
  children,
  ...props
}: LoadedThreadProps<E>) {
  const { id } = useAccount();
  const panel = useRef<HTMLElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const { entries, hasEarlier, othersReadSeq } = state;
  const lastEntry = entries.at(-1);
  const last = lastEntry?.seq;
  const lastIsOwn = lastEntry?.kind !== 'event' && lastEntry?.by.accountId === id;
  const scroll = useThreadScroll({
    ...{ panel, end, startsAtTop, first: entries[0]?.seq, last: last ?? 0, lastIsOwn },
  });
  const reader = { accountId: id, side: props.side };
  const newFrom = useNewFrom(state, reader, scroll.isAtEnd);
  useMarkRead(thread, last, scroll.isAtEnd);
  const unread = unreadOf(state, reader).length;
  const seenSeq = lastMessageSeqIfSeen(entries, props.side, othersReadSeq);
  async function loadEarlier(): Promise<void> {
    const noneLeft = await thread.loadEarlier(scroll.keepPlace);
    // The focused button is gone.
    if (noneLeft) list.current?.focus({ preventScroll: true });
  }
  function goToEnd(): void {
    // The focused button will be gone.
    list.current?.focus({ preventScroll: true });
    scroll.scrollToEnd();
  }
  return (
    <section className="conversation" aria-label="Conversation" ref={panel}>
      {hasEarlier && (
        <p className="conversation__earlier">
          <button
            className="button button--quiet"
            type="button"
            aria-disabled={thread.isLoadingEarlier}
            onClick={() => void loadEarlier()}
          >
            {thread.isLoadingEarlier ? 'One moment' : 'Show earlier messages'}
          </button>
        </p>
      )}
      <FormProblem problem={thread.loadEarlierProblem} />
      {entries.length === 0 && <div className="conversation__empty">{empty}</div>}
      <ol className="conversation__list" ref={list} tabIndex={-1} aria-label="Messages, oldest first">
        {itemsOf(entries, newFrom).map((item) => (
          <Item key={item.key} item={item} state={state} thread={thread} seenSeq={seenSeq} {...props} />
        ))}
      </ol>
      <div ref={end} />
      <Announcer state={state} accountId={id} />
      <div className="conversation__dock">
        <div className="conversation__overlay">
          <p role="status">
            {thread.isReconnecting && <span className="conversation__connection">Reconnecting…</span>}
          </p>
          {unread > 0 && !scroll.isAtEnd && (
            <button className="conversation__unread" type="button" onClick={goToEnd}>
              {unread === 1 ? '1 new message or update' : `${unread} new messages and updates`}
              <Icon name="down" />
            </button>
          )}
        </div>
        {children}
      </div>
    </section>
  );
}

/**
 * The `seq` of the entry below the line 'New': the first that was unread when the thread was opened, or that came while the reader was not looking.
 * The line stays there while the entries below it are read.
 */
function useNewFrom(
  state: ThreadState<StaffThreadEntry>,
  reader: Reader,
  isAtEnd: boolean,
): number | undefined {
  const firstUnreadSeq = unreadOf(state, reader)[0]?.seq;
  const [newFrom, setNewFrom] = useState(firstUnreadSeq);
  const isLooking = isAtEnd && document.visibilityState === 'visible';
  if (firstUnreadSeq !== undefined && !isLooking && (newFrom === undefined || newFrom <= state.readSeq))
    setNewFrom(firstUnreadSeq);
  return newFrom;
}

/** Everything counts as read while the end is in view and the tab is visible. Runs at every render, so that a failed call is repeated. */
function useMarkRead(
  { markRead }: Pick<LiveThread<StaffThreadEntry>, 'markRead'>,
  last: number | undefined,
  isAtEnd: boolean,
): void {
  useEffect(() => {
    if (!isAtEnd || last === undefined) return;
    const mark = () => document.visibilityState === 'visible' && markRead(last);
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  });
}

/** The `seq` of this side’s last message if the other side has read that message. */
function lastMessageSeqIfSeen(
  entries: readonly StaffThreadEntry[],
  side: 'customer' | 'staff',
  othersReadSeq: number,
): number | undefined {
  const last = entries.findLast(({ kind, by }) => kind === 'message' && by.side === side);
  return last && last.seq <= othersReadSeq ? last.seq : undefined;
}

interface ItemProps<E extends StaffThreadEntry> extends Pick<
  ThreadProps<E>,
  'calls' | 'side' | 'otherSideLabel' | 'quote' | 'eventDetails'
> {
  item: ThreadItem<E>;
  state: ThreadState<E>;
  thread: LiveThread<E>;
  seenSeq: number | undefined;
}

function Item<E extends StaffThreadEntry>({
  item,
  state,
  thread,
  calls,
  seenSeq,
  eventDetails,
  ...props
}: ItemProps<E>) {
  if (item.kind === 'day') return <Day day={item.day} />;
  if (item.kind === 'new')
    return (
      <li className="conversation__new" data-new>
        <span>New</span>
      </li>
    );
  function showChanged(answer: Answer<E>): Problem | undefined {
    if (!answer.ok) return answer.problem;
    thread.show(answer.value);
    return undefined;
  }
  const entry: StaffThreadEntry = item.entry;
  if (entry.kind === 'event' || entry.kind === 'staff_event')
    return (
      <li
        className={`thread-event ${entry.kind === 'staff_event' ? 'thread-event--staff' : ''}`}
        id={`entry-${entry.seq}`}
        data-entry
        tabIndex={-1}
      >
        <p>
          {entry.text} <time dateTime={entry.at}>{formatTime(entry.at)}</time>
        </p>
        {entry.kind === 'event' && eventDetails?.(entry)}
      </li>
    );
  const quotedId = entry.kind === 'message' ? entry.quote?._id : undefined;
  const quoted =
    quotedId === undefined
      ? undefined
      : state.entries.find((one): one is E & ThreadMessage => one.kind === 'message' && one._id === quotedId);
  return (
    <Message
      {...props}
      message={entry}
      edit={async (text) => showChanged(await calls.edit(entry, text))}
      remove={async () => showChanged(await calls.remove(entry))}
      isContinuation={item.isContinuation}
      isSeen={entry.seq === seenSeq}
      quoted={quoted}
    />
  );
}

const withWeekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
const withYear = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

function Day({ day }: { day: string }) {
  const now = new Date(useNow());
  const date = new Date(`${day}T12:00:00`);
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  const near = { [dayOf(now)]: 'Today', [dayOf(yesterday)]: 'Yesterday' }[day];
  const format = date.getFullYear() === now.getFullYear() ? withWeekday : withYear;
  return (
    <li className="conversation__day">
      <time dateTime={day}>{near ?? format.format(date)}</time>
    </li>
  );
}

/** For screen readers. */
function Announcer({ state, accountId }: { state: ThreadState<StaffThreadEntry>; accountId: string }) {
  const [from] = useState(() => state.entries.at(-1)?.seq ?? 0);
  const announced = state.entries.filter((entry) => entry.seq > from && isAnnouncedTo(entry, accountId));
  return (
    <div className="visually-hidden" role="log" aria-label="New messages">
      {announced.map((entry) => (
        <p key={entry.seq}>{announcementOf(entry)}</p>
      ))}
    </div>
  );
}

function announcementOf(entry: StaffThreadEntry): string {
  if (entry.kind !== 'message' && entry.kind !== 'note') return entry.text;
  return `${entry.by.name}: ${entry.deletedAt ? deletedText(entry) : entry.text || 'a file'}`;
}
