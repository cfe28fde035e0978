import type {
  ProjectFile,
  ProjectState,
  StaffThreadEntry,
  ThreadEntry,
  ThreadEvent,
  ThreadMessage,
  ThreadNote,
} from '#libs/contracts';

interface AnyRow {
  seq: number;
  /** Equal to `seq` at first. Grows when the entry is edited or deleted, or its files change. The views leave it out. */
  change: number;
  accountId: string | null;
  name: string;
  at: Date;
  text: string;
}

interface WrittenRow extends AnyRow {
  id: string;
  editedAt: Date | null;
  deletedAt: Date | null;
}

export interface MessageRow extends WrittenRow {
  kind: 'message';
  side: ThreadMessage['by']['side'];
  /** The part of a reply by mail that is shown collapsed. */
  folded: string | null;
  byMail: boolean;
  quoteId: string | null;
  quoteName: string | null;
  quoteText: string | null;
}

interface EventRow extends AnyRow {
  kind: 'event';
  side: ThreadEvent['by']['side'];
  what: ThreadEvent['what'];
  state: ProjectState | null;
  deliverableId: string | null;
}

export interface NoteRow extends WrittenRow {
  kind: 'note';
}

/** An entry that the customer's side may read. */
export type ThreadRow = MessageRow | EventRow;
export type StaffThreadRow = ThreadRow | NoteRow | (AnyRow & { kind: 'staff_event' });

/** By the id of the message or note. */
export type FilesByEntry = ReadonlyMap<string, ProjectFile[]>;

export function entryView(row: ThreadRow, files: FilesByEntry): ThreadEntry {
  return row.kind === 'message' ? messageView(row, files) : eventView(row);
}

export function staffEntryView(row: StaffThreadRow, files: FilesByEntry): StaffThreadEntry {
  if (row.kind === 'note') return noteView(row, files);
  if (row.kind === 'staff_event') return { kind: row.kind, ...commonOf(row, 'staff'), text: row.text };
  return entryView(row, files);
}

export function messageView(row: MessageRow, files: FilesByEntry): ThreadMessage {
  const { side, folded, byMail, quoteId, quoteName, quoteText } = row;
  return {
    kind: 'message',
    ...writtenOf(row, side, files),
    quote: quoteId === null ? null : { _id: quoteId, name: quoteName ?? '', text: quoteText ?? '' },
    folded,
    byMail,
  };
}

export function noteView(row: NoteRow, files: FilesByEntry): ThreadNote {
  return { kind: 'note', ...writtenOf(row, 'staff', files) };
}

function eventView(row: EventRow): ThreadEvent {
  const { side, what, state, text, deliverableId } = row;
  return { kind: 'event', ...commonOf(row, side), what, state, text, deliverableId };
}

function writtenOf(row: WrittenRow, side: ThreadMessage['by']['side'], files: FilesByEntry) {
  return {
    ...commonOf(row, side),
    _id: row.id,
    text: row.text,
    files: files.get(row.id) ?? [],
    editedAt: row.editedAt?.toISOString() ?? null,
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}

function commonOf({ seq, at, accountId, name }: AnyRow, side: ThreadMessage['by']['side']) {
  return { seq, at: at.toISOString(), by: { side, accountId, name } };
}
