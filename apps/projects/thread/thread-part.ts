/**
 * Each entry has two numbers. `seq` is its place in the thread. `change` is the same number at first, and grows when the entry is edited or deleted,
 * or its files change.
 *
 * `before` requests the last entries with a smaller `seq`, and `after` the first with a greater `change`. With neither, the last entries are
 * requested; with both, `before` is ignored.
 */
export interface PartRequest {
  before?: number | undefined;
  after?: number | undefined;
  limit?: number | undefined;
}

/** How far a thread and its readers have got. The values for the customer’s side differ from those for staff. */
export interface Position {
  /** The greatest `change` of the thread's entries. */
  change: number;
  /** The last entry that the reader has read. */
  readSeq: number;
  /** The last entry that somebody on the other side has read. */
  othersReadSeq: number;
}

/** An entry and the position; if there are no entries, the position alone. `lastSeq` is the greatest `seq` of the thread. */
export type PartRow<E> = Omit<Position, 'change'> & { lastChange: number; lastSeq: number } & (
    | E
    | { kind: null }
  );

export interface ThreadPart<E> extends Position {
  rows: E[];
  /** If an `after` request left out later changes, the `change` of the last row; otherwise the greatest of the thread. */
  change: number;
  /** Whether there are entries before the first of these. For an `after` request, true unless `after` is 0. */
  hasEarlier: boolean;
  /** Whether there are entries after the last of these or, for an `after` request, later changes. */
  hasLater: boolean;
}

const defaultLimit = 50;
/** Postgres's largest `integer`. */
const maxInteger = 2_147_483_647;

/** How entries are selected and ordered. `column`, `operator` and `direction` become part of the SQL, so they must be constants. */
export function selectionOf({ before, after, limit = defaultLimit }: PartRequest) {
  // One more than requested shows whether there are more.
  const atMost = limit + 1;
  return after === undefined
    ? ({ column: 'seq', operator: '<', bound: before ?? maxInteger, direction: 'DESC', atMost } as const)
    : ({ column: 'change', operator: '>', bound: after, direction: 'ASC', atMost } as const);
}

export function partOf<E extends { kind: string; change: number }>(
  selected: readonly PartRow<E>[],
  { before, after, limit = defaultLimit }: PartRequest,
): ThreadPart<E> {
  const { lastChange: change, readSeq, othersReadSeq, lastSeq } = selected[0]!;
  const found = selected.filter((row): row is PartRow<E> & E => row.kind !== null);
  const rows = found.slice(0, limit);
  const hasMore = found.length > limit;
  const position = { readSeq, othersReadSeq };
  if (after === undefined) {
    const hasLater = before !== undefined && lastSeq >= before;
    return { rows: rows.reverse(), hasEarlier: hasMore, hasLater, change, ...position };
  }
  // If there are more changes, the next request has to continue after the last of these rows.
  return {
    rows,
    hasEarlier: after > 0,
    hasLater: hasMore,
    change: hasMore ? rows.at(-1)!.change : change,
    ...position,
  };
}
