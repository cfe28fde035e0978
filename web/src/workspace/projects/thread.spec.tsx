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
const quote = { _id: 'm1', name: 'Maya', text: 'See my plan' };
const answer: ThreadMessage = {
  ...{ ...message, seq: 2, _id: 'm2', text: 'I like it', quote },
  by: { side: 'customer', accountId: 'ada', name: 'Ada' },
};

const steps: Record<string, ThreadMessage> = {
  'Maya writes': message,
  'Maya repeats herself': { ...message, seq: 3, _id: 'm3' },
  'Maya edits': { ...message, text: 'See our plan', editedAt: at },
  'Maya deletes': { ...message, text: '', deletedAt: at },
  'Maya sends only files': { ...message, text: '' },
  'Ada answers': answer,
  'Ada writes': { ...answer, seq: 4, _id: 'm4', quote: null },
  'Ada answers the files': { ...answer, quote: { ...quote, text: '' } },
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
      {Object.entries(steps).map(([step, entry]) => (
        <button key={step} type="button" onClick={show(entry)}>
          {step}
        </button>
      ))}
      <Thread
        {...{ thread, calls: customerThreadCalls('1'), side: 'customer', otherSideLabel: 'Example Agency' }}
        empty="No messages"
      />
    </>
  );
}

function open(...first: string[]): void {
  openScreen(Conversation, () => undefined);
  first.forEach(take);
}
const take = (step: string) => void fireEvent.click(screen.getByText(step));

test('a screen reader announces a new message, and that it was deleted', () => {
  open('Maya writes');
  const announced = () => screen.getByRole('log').textContent;
  expect(announced()).toBe('Maya: See my plan');
  take('Maya deletes');
  expect(announced()).toBe('Maya: This message was deleted.');
});

test('a screen reader announces a message with the same words as the one before', () => {
  open('Maya writes');
  const before = screen.getByRole('log').firstElementChild;
  take('Maya repeats herself');
  const after = screen.getByRole('log').lastElementChild;
  expect(after?.textContent).toBe('Maya: See my plan');
  expect(after).not.toBe(before);
});

test('shows what the person has sent, but does not leave what they read when others write', () => {
  open('Maya writes');
  let count = 0;
  Element.prototype.scrollIntoView = () => void (count += 1);
  take('Maya repeats herself');
  expect(count).toBe(0);
  take('Ada writes');
  expect(count).toBe(1);
});

test('going to new messages moves the focus to the list', () => {
  open('Maya writes');
  const button = screen.getByRole('button', { name: '1 new message or update' });
  button.focus();
  fireEvent.click(button);
  expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Messages, oldest first' }));
});

const quoted = () => screen.getByRole('button', { name: /\(go to this message\)$/ }).textContent;

test('a quote changes with the quoted message, and shows nothing of a deleted one', () => {
  open('Maya writes', 'Ada answers');
  expect(quoted()).toBe('See my plan (go to this message)');
  take('Maya edits');
  expect(quoted()).toBe('See our plan (go to this message)');
  take('Maya deletes');
  expect(quoted()).toBe('This message was deleted. (go to this message)');
});

test('a quote says that a message has no text, whether the message is in the list or not', () => {
  open('Ada answers the files');
  expect(screen.getByText('Message without text').tagName).toBe('P');
  take('Maya sends only files');
  expect(quoted()).toBe('Message without text (go to this message)');
});
