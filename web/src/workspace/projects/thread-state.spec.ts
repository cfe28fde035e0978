import { describe, expect, test } from '@jest/globals';
import type { ThreadEntry, ThreadEvent, ThreadMessage } from '#libs/contracts';
import {
  itemsOf,
  threadFrom,
  type ThreadPart,
  type ThreadState,
  unreadOf,
  withChanges,
  withEarlier,
  withEntries,
} from './thread-state.js';

const ada = { side: 'customer', accountId: 'ada', name: 'Ada' } as const;
const maya = { side: 'staff', accountId: 'maya', name: 'Maya' } as const;

function message(seq: number, overrides: Partial<ThreadMessage> = {}): ThreadMessage {
  return {
    ...{ kind: 'message', seq, _id: `m${seq}`, by: maya, text: `text ${seq}`, files: [] },
    ...{ at: `2026-11-20T10:${String(seq % 60).padStart(2, '0')}:00.000Z`, editedAt: null, deletedAt: null },
    ...{ quote: null, folded: null, byMail: false },
    ...overrides,
  };
}

function eventEntry(seq: number): ThreadEntry {
  return {
    ...{ kind: 'event', seq, at: '2026-11-20T10:00:00.000Z', by: maya, what: 'delivered' },
    ...{ state: 'delivered', text: 'Maya delivered.', deliverableId: null },
  };
}

function part(
  entries: ThreadEntry[],
  overrides: Partial<ThreadPart<ThreadEntry>> = {},
): ThreadPart<ThreadEntry> {
  const change = Math.max(0, ...entries.map(({ seq }) => seq));
  return { entries, hasEarlier: false, hasLater: false, change, readSeq: 0, othersReadSeq: 0, ...overrides };
}

const textsOf = ({ entries }: ThreadState<ThreadEntry>) =>
  entries.map((entry) => `${entry.seq} ${entry.text}`);

describe('a thread that is kept up to date', () => {
  test('gets each new entry once and in order, however often and late it arrives', () => {
    let state = threadFrom(part([message(1), message(2)]));
    state = withChanges(state, part([message(4)]));
    state = withChanges(state, part([message(3), message(4)]));
    state = withChanges(state, part([message(3)], { change: 3 }));
    expect(textsOf(state)).toEqual(['1 text 1', '2 text 2', '3 text 3', '4 text 4']);
    expect(state.change).toBe(4);
  });

  test('shows an edited message in its old place', () => {
    const state = threadFrom(part([message(1), message(2)]));
    const edited = message(1, { text: 'edited', editedAt: '2026-11-20T10:05:00.000Z' });
    expect(textsOf(withChanges(state, part([edited], { change: 3 })))).toEqual(['1 edited', '2 text 2']);
  });

  test('keeps the newer version when an older part arrives late', () => {
    const edited = part([message(1, { text: 'edited' })], { change: 3 });
    const state = withChanges(threadFrom(part([message(1), message(2)])), edited);
    expect(textsOf(withChanges(state, part([message(1)], { change: 2 })))).toContain('1 edited');
  });

  test('leaves out an edited message before the loaded ones, because a gap would follow', () => {
    const state = threadFrom(part([message(50), message(51)], { hasEarlier: true }));
    const changed = withChanges(state, part([message(7, { text: 'edited' })], { change: 52 }));
    expect(textsOf(changed)).toEqual(['50 text 50', '51 text 51']);
    expect(changed.change).toBe(52);
  });

  test('gets earlier entries before its first one', () => {
    const state = threadFrom(part([message(3)], { hasEarlier: true, change: 9 }));
    const earlier = withEarlier(state, part([message(1), message(2), message(3)], { change: 12 }));
    expect(textsOf(earlier)).toEqual(['1 text 1', '2 text 2', '3 text 3']);
    // The changes between the two reads have not been requested yet.
    expect(earlier).toMatchObject({ hasEarlier: false, change: 9 });
  });

  test('shows what was just written without skipping what others wrote before', () => {
    const state = withEntries(threadFrom(part([message(1)])), [message(3, { by: ada })]);
    expect(state.change).toBe(1);
    expect(textsOf(withChanges(state, part([message(2), message(3, { by: ada })])))).toEqual([
      '1 text 1',
      '2 text 2',
      '3 text 3',
    ]);
  });

  test('never moves its read marks backwards', () => {
    const state = threadFrom(part([message(1)], { readSeq: 5, othersReadSeq: 4 }));
    expect(withChanges(state, part([], { change: 9, readSeq: 3, othersReadSeq: 2 }))).toMatchObject({
      readSeq: 5,
      othersReadSeq: 4,
    });
  });
});

describe('what is unread', () => {
  test('includes the entries of other people, even of colleagues, after the read mark', () => {
    const grace = { side: 'customer', accountId: 'grace', name: 'Grace' } as const;
    const entries = [message(1), message(2, { by: ada }), message(3, { by: grace }), message(4)];
    const reader = { accountId: 'ada', side: 'customer' } as const;
    expect(unreadOf({ entries, readSeq: 1 }, reader).map(({ seq }) => seq)).toEqual([3, 4]);
    expect(unreadOf({ entries, readSeq: 4 }, reader)).toEqual([]);
  });

  test('includes automatic entries only if they are changes of state or, for customers, messages', () => {
    const by = { side: 'system', accountId: null, name: 'Site' } as const;
    const happened = (seq: number, what: ThreadEvent['what']) =>
      ({ ...eventEntry(seq), by, what }) as ThreadEvent;
    const entries = [happened(1, 'opened'), message(2, { by }), happened(3, 'state_changed')];
    const unreadBy = (side: 'customer' | 'staff') =>
      unreadOf({ entries, readSeq: 0 }, { accountId: 'ada', side }).map(({ seq }) => seq);
    expect(unreadBy('customer')).toEqual([2, 3]);
    expect(unreadBy('staff')).toEqual([3]);
  });
});

describe('the items of a thread', () => {
  const kinds = (entries: ThreadEntry[], newFrom?: number) =>
    itemsOf(entries, newFrom).map((item) =>
      item.kind === 'entry' ? `${item.entry.seq}${item.isContinuation ? ' continued' : ''}` : item.kind,
    );

  test('leave out a repeated name, but not after a while, after another person, or after an event', () => {
    const entries = [
      message(1),
      message(2),
      message(20),
      message(21, { by: ada }),
      eventEntry(22),
      message(23),
    ];
    expect(kinds(entries)).toEqual(['day', '1', '2 continued', '20', '21', '22', '23']);
  });

  test('include a line before each day, and the line New before the unread entries', () => {
    const entries = [
      message(1),
      message(2, { at: '2026-11-22T10:00:00.000Z' }),
      message(3, { at: '2026-11-22T10:01:00.000Z' }),
    ];
    expect(kinds(entries, 3)).toEqual(['day', '1', 'day', '2', 'new', '3']);
  });
});
