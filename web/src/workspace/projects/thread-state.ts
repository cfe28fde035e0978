import type { StaffThreadEntry } from '#libs/contracts';
import type { AnswerOf } from '../../lib/api.js';
import { dayOf } from '../days.js';

/** A part of a thread: an answer of the API, or a live update. */
export type ThreadPart<E> = Omit<AnswerOf<'GET /staff-project/:id/thread'>, 'entries'> & {
  /** Oldest first. */
  entries: E[];
};

/** The last entries of a thread, without a gap. */
export interface ThreadState<E> {
  entries: readonly E[];
  hasEarlier: boolean;
  /** The number of the last known change; an older part has a smaller one. */
  change: number;
  /** The `seq` up to which this person has read. */
  readSeq: number;
  /** The `seq` of the last entry that somebody on the other side has read. */
  othersReadSeq: number;
}

type Entry = StaffThreadEntry;

export interface Reader {
  accountId: string;
  side: 'customer' | 'staff';
}

/** `part` is the answer to the first read: the thread's last entries. */
export function threadFrom<E extends Entry>(part: ThreadPart<E>): ThreadState<E> {
  const { entries, hasEarlier, change, readSeq, othersReadSeq } = part;
  return { entries: inOrder(entries), hasEarlier, change, readSeq, othersReadSeq };
}

export function withEarlier<E extends Entry>(state: ThreadState<E>, part: ThreadPart<E>): ThreadState<E> {
  const first = state.entries[0]?.seq ?? Infinity;
  const earlier = part.entries.filter(({ seq }) => seq < first);
  return { ...state, entries: inOrder([...earlier, ...state.entries]), hasEarlier: part.hasEarlier };
}

/**
 * Parts may arrive twice and in any order: an entry replaces the known one with the same `seq`, unless the part is older. A changed entry before the
 * loaded ones is left out, because there would be a gap after it.
 */
export function withChanges<E extends Entry>(state: ThreadState<E>, part: ThreadPart<E>): ThreadState<E> {
  return {
    ...withEntries(state, part.entries, part.change < state.change),
    change: Math.max(state.change, part.change),
    readSeq: Math.max(state.readSeq, part.readSeq),
    othersReadSeq: Math.max(state.othersReadSeq, part.othersReadSeq),
  };
}

/** With `isOlder`, known entries are not replaced. */
export function withEntries<E extends Entry>(
  state: ThreadState<E>,
  entries: readonly E[],
  isOlder = false,
): ThreadState<E> {
  const known = new Map(state.entries.map((entry) => [entry.seq, entry]));
  const first = state.hasEarlier ? (state.entries[0]?.seq ?? 0) : 0;
  for (const entry of entries)
    if (entry.seq >= first && !(isOlder && known.has(entry.seq))) known.set(entry.seq, entry);
  return { ...state, entries: inOrder([...known.values()]) };
}

function inOrder<E extends Entry>(entries: readonly E[]): E[] {
  return entries.toSorted((a, b) => a.seq - b.seq);
}

/** Screen readers announce entries of other people, and automatic ones. */
export function isAnnouncedTo(entry: Entry, accountId: string): boolean {
  return entry.by.accountId !== accountId || entry.by.side === 'system';
}

/**
 * Whether an entry is new to this person: it is somebody else's, or an automatic one that the server counts as unread. Entries by colleagues on the
 * reader's own side are new here, but not in the server's counts and mails, because nobody has to answer them.
 */
function isNewTo(entry: Entry, { accountId, side }: Reader): boolean {
  if (entry.by.side !== 'system') return entry.by.accountId !== accountId;
  if (entry.kind === 'message') return side === 'customer';
  return entry.kind === 'event' && entry.what === 'state_changed';
}

export function unreadOf(
  { entries, readSeq }: Pick<ThreadState<Entry>, 'entries' | 'readSeq'>,
  reader: Reader,
): Entry[] {
  return entries.filter((entry) => entry.seq > readSeq && isNewTo(entry, reader));
}

export type ThreadItem<E> =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'new'; key: string }
  /** `isContinuation`: the name need not be repeated, because the entry soon follows one of the same kind by the same person. */
  | { kind: 'entry'; key: string; entry: E; isContinuation: boolean };

const continuedForMs = 5 * 60_000;

/** With a line for each day of the reader's calendar, and a line 'New' before the entry whose `seq` is `newFrom`. */
export function itemsOf<E extends Entry>(
  entries: readonly E[],
  newFrom: number | undefined,
): ThreadItem<E>[] {
  const items: ThreadItem<E>[] = [];
  let before: E | undefined;
  for (const entry of entries) {
    const day = dayOf(new Date(entry.at));
    const isNewDay = !before || dayOf(new Date(before.at)) !== day;
    if (isNewDay) items.push({ kind: 'day', key: `day-${day}-${entry.seq}`, day });
    const isNew = entry.seq === newFrom;
    if (isNew) items.push({ kind: 'new', key: 'new' });
    const isContinuation = !isNewDay && !isNew && before !== undefined && continues(before, entry);
    items.push({ kind: 'entry', key: String(entry.seq), entry, isContinuation });
    before = entry;
  }
  return items;
}

function continues(before: Entry, entry: Entry): boolean {
  return (
    entry.kind === before.kind &&
    (entry.kind === 'message' || entry.kind === 'note') &&
    entry.by.side === before.by.side &&
    entry.by.accountId === before.by.accountId &&
    entry.by.name === before.by.name &&
    Date.parse(entry.at) - Date.parse(before.at) < continuedForMs
  );
}
