/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Account, ProjectFile } from '#libs/contracts';
import { AccountContext } from '../../../workspace/current-screen.js';
import { useStaffDrafts } from './staff-drafts.js';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const account = { id: 'ada' } as Account;
const wrapper = ({ children }: { children: ReactNode }) => (
  <AccountContext value={account}>{children}</AccountContext>
);
const open = () => renderHook(() => useStaffDrafts('project-1'), { wrapper });

test('a text begins as a message, and changing the mode keeps it', () => {
  const { result } = open();
  expect(result.current.mode).toBe('message');
  act(() => result.current.draft.change({ text: 'The customer is hard to reach.' }));
  act(() => result.current.chooseMode('note'));
  expect(result.current.draft.text).toBe('The customer is hard to reach.');
  expect(result.current.byMode.message.text).toBe('');
});

test('a draft of a note is still a note after a reload', () => {
  const first = open();
  act(() => first.result.current.chooseMode('note'));
  act(() => first.result.current.draft.change({ text: 'Be careful with this one.' }));
  first.unmount();
  const { result } = open();
  expect(result.current.mode).toBe('note');
  expect(result.current.draft.text).toBe('Be careful with this one.');
  expect(result.current.byMode.message.isEmpty).toBe(true);
});

test('the mode for notes is still chosen after a reload, even without a text, because the next words are meant as a note', () => {
  const first = open();
  act(() => first.result.current.chooseMode('note'));
  first.unmount();
  expect(open().result.current.mode).toBe('note');
});

test('files stay with the mode in which they were added', () => {
  const { result } = open();
  const file = { _id: 'file-1', name: 'secret.pdf' } as ProjectFile;
  act(() => result.current.chooseMode('note'));
  act(() => result.current.draft.change({ text: 'See the file.', files: [file] }));
  act(() => result.current.chooseMode('message'));
  expect(result.current.draft).toMatchObject({ text: 'See the file.', files: [] });
  expect(result.current.byMode.note.files).toEqual([file]);
});

test('no text is lost if both modes have one', () => {
  const { result } = open();
  act(() => result.current.byMode.note.change({ text: 'A note.' }));
  act(() => result.current.draft.change({ text: 'A message.' }));
  act(() => result.current.chooseMode('note'));
  expect(result.current.draft.text).toBe('A note.\n\nA message.');
});
