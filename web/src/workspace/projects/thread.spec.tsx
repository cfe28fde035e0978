/** @jest-environment ./web/dom-environment.mjs */
import { beforeAll, expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import type { ThreadEntry, ThreadMessage } from '#libs/contracts';
import { openScreen } from '../open-screen.js';
import type { LiveThread } from './live-thread.js';
import { Thread } from './Thread.js';
import { customerThreadCalls } from './thread-calls.js';
import { type ThreadState, withEntries } from './thread-state.js';

beforeAll(() => {
  class Observer {
    observe(): void {}
    disconnect(): void {}
  }
  Object.assign(globalThis, { IntersectionObserver: Observer, ResizeObserver: Observer });
  Element.prototype.scrollIntoView = () => {};
});

const at = new Date().toISOString();
const message: ThreadMessage = {
  ...{ kind: 'message', seq: 1, _id: 'm1', text: 'See my plan', files: [], byMail: false },
  ...{ by: { side: 'staff', accountId: 'maya', name: 'Maya' }, at },
  ...{ editedAt: null, deletedAt: null, quote: null, folded: null },
};

function Conversation() {
  const [state, setState] = useState<ThreadState<ThreadEntry>>({
    ...{ entries: [], hasEarlier: false, change: 0, readSeq: 0, othersReadSeq: 0 },
  });
  const show = (entry: ThreadMessage) => () => setState((known) => withEntries(known, [entry]));
  const thread: LiveThread<ThreadEntry> = {
    ...{ state, problem: undefined, isReconnecting: false, retrying: false, retry: () => {} },
    ...{ isLoadingEarlier: false, loadEarlierProblem: undefined, loadEarlier: async () => true },
    ...{ show: () => {}, markRead: () => {} },
  };
  return (
    <>
      <button type="button" onClick={show(message)}>
        Maya writes
      </button>
      <button type="button" onClick={show({ ...message, text: '', deletedAt: at })}>
        Maya deletes
      </button>
      <Thread
        {...{ thread, calls: customerThreadCalls('1'), side: 'customer', otherSideLabel: 'Example Agency' }}
        empty="No messages"
      />
    </>
  );
}

test('a screen reader announces a new message, and that it was deleted', () => {
  openScreen(Conversation, () => undefined);
  const announced = () => screen.getByRole('log').textContent;
  fireEvent.click(screen.getByText('Maya writes'));
  expect(announced()).toBe('Maya: See my plan');
  fireEvent.click(screen.getByText('Maya deletes'));
  expect(announced()).toBe('Maya: This message was deleted.');
});
