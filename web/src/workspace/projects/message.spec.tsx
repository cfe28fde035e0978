/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { Link } from 'react-router-dom';
import type { ThreadMessage } from '#libs/contracts';
import { openScreen } from '../open-screen.js';
import { Message } from './Message.js';

const message: ThreadMessage = {
  ...{ kind: 'message', seq: 1, _id: 'm1', text: 'Hello', files: [], byMail: false },
  ...{ by: { side: 'customer', accountId: 'ada', name: 'Ada' }, at: new Date().toISOString() },
  ...{ editedAt: null, deletedAt: null, quote: null, folded: null },
};

const click = (name: string) => act(async () => void fireEvent.click(screen.getByText(name)));

function openMessage(side: 'customer' | 'staff' = 'customer'): void {
  const resolve = async () => undefined;
  openScreen(
    () => (
      <>
        <Message
          {...{ message, edit: resolve, remove: resolve, isContinuation: false, isSeen: false }}
          {...{ side, otherSideLabel: 'Example Agency', quoted: undefined }}
        />
        <Link to="/elsewhere">Elsewhere</Link>
      </>
    ),
    () => undefined,
  );
}

test('following a link asks for confirmation if an edited message has not been saved', async () => {
  openMessage();
  await click('Edit');
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Hello, everybody' } });
  await click('Elsewhere');
  await click('Stay');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Hello, everybody');
  await click('Elsewhere');
  await click('Leave');
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('cancelling a deletion leaves the focus on the button of the menu', async () => {
  openMessage();
  const menu = screen.getByText('Actions for Ada’s message', { exact: false }).closest('summary')!;
  await click(menu.textContent);
  screen.getByText('Delete').focus();
  await click('Delete');
  await click('Cancel');
  expect(document.activeElement).toBe(menu);
});

test('a message that is emptied is not saved, and the person is told why', async () => {
  openMessage();
  await click('Edit');
  fireEvent.change(screen.getByRole('textbox'), { target: { value: ' ' } });
  await click('Save');
  screen.getByText('The message is empty. To remove it, delete it.');
});

test('what somebody wrote for the other side of a project cannot be edited or deleted on this side', () => {
  openMessage('staff');
  expect(screen.queryByText('Edit')).toBeNull();
  expect(screen.queryByText('Delete')).toBeNull();
});

test('Escape while an input method composes a character does not close the form', async () => {
  openMessage();
  await click('Edit');
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape', isComposing: true });
  expect(screen.queryByRole('textbox')).not.toBeNull();
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' });
  expect(screen.queryByRole('textbox')).toBeNull();
});
