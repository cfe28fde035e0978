/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, describe, expect, test } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { FormEvent, ReactNode } from 'react';
import type { Account, ProjectTemplate } from '#libs/contracts';
import { AccountContext } from '../../../workspace/current-screen.js';
import { answerCalls } from '../../../workspace/open-screen.js';
import { QueryProvider } from '../../../workspace/QueryProvider.js';
import { useTemplateForm } from './template-form.js';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const account = { id: 'ada' } as Account;
const wrapper = ({ children }: { children: ReactNode }) => (
  <AccountContext value={account}>
    <QueryProvider>{children}</QueryProvider>
  </AccountContext>
);
const template = (version: number, changed: Partial<ProjectTemplate> = {}) =>
  ({
    ...{ _id: 'template-1', version, questions: [], checklist: ['Crawl'], deliveryDays: 10 },
    ...{ introduction: 'A few questions.', welcome: 'Welcome.', ...changed },
  }) as unknown as ProjectTemplate;
const open = (one: ProjectTemplate) => renderHook(() => useTemplateForm(one), { wrapper });

test('a restored draft keeps what somebody else has changed meanwhile in other parts', () => {
  const first = open(template(3));
  act(() => first.result.current.change({ welcome: 'Hello.' }));
  first.unmount();
  const { result } = open(template(4, { introduction: 'Three questions.', checklist: ['Crawl', 'Write'] }));
  act(() => result.current.offeredDraft!.restore());
  expect(result.current.values).toMatchObject({ welcome: 'Hello.', introduction: 'Three questions.' });
  expect(result.current.values.checklist).toHaveLength(2);
});

test('a delivery time that is not a number is unsaved and kept as a draft', () => {
  const stored = template(3, { deliveryDays: null });
  const first = open(stored);
  act(() => first.result.current.change({ deliveryDays: 'ten' }));
  expect(first.result.current.unsaved).toBe(true);
  first.unmount();
  const { result } = open(stored);
  act(() => result.current.offeredDraft!.restore());
  expect(result.current.values.deliveryDays).toBe('ten');
});

test('an offered draft stays until it is restored or discarded, whatever is typed meanwhile', () => {
  const first = open(template(3));
  act(() => first.result.current.change({ welcome: 'Hello.' }));
  first.unmount();
  const second = open(template(3));
  act(() => second.result.current.change({ introduction: 'Hm.' }));
  second.unmount();
  const { result } = open(template(3));
  act(() => result.current.offeredDraft!.restore());
  expect(result.current.values).toMatchObject({ welcome: 'Hello.', introduction: 'A few questions.' });
});

test('a restored draft leaves the parts alone that were changed while it was offered', () => {
  const first = open(template(3));
  act(() => first.result.current.change({ welcome: 'Hello.', introduction: 'Two questions.' }));
  first.unmount();
  const { result } = open(template(3));
  act(() => result.current.change({ introduction: 'Hm.' }));
  act(() => result.current.offeredDraft!.restore());
  expect(result.current.values).toMatchObject({ welcome: 'Hello.', introduction: 'Hm.' });
});

describe('what is typed while the template is being saved', () => {
  async function typeWhileSaving(response: Response) {
    let answer!: (response: Response) => void;
    answerCalls(() => new Promise((resolve) => (answer = resolve)));
    const { result } = open(template(3));
    act(() => result.current.change({ welcome: 'Hello.' }));
    await act(async () =>
      result.current.formProps.onSubmit({ preventDefault: () => undefined } as FormEvent),
    );
    act(() => result.current.change({ welcome: 'Hello there.' }));
    await act(async () => answer(response));
    return result;
  }

  test('stays when the answer arrives, and is unsaved and kept as a draft', async () => {
    const saved = template(4, { welcome: 'Hello.' });
    // As if the site had changed the introduction before storing it.
    const result = await typeWhileSaving(Response.json({ ...saved, introduction: 'Some questions.' }));
    const values = { welcome: 'Hello there.', introduction: 'Some questions.' };
    expect(result.current).toMatchObject({ unsaved: true, base: { version: 4 }, values });
    const reopened = open(saved).result;
    act(() => reopened.current.offeredDraft!.restore());
    expect(reopened.current.values).toMatchObject({ welcome: 'Hello there.' });
  });

  test('is in `mine` of the conflict if somebody else has saved the template', async () => {
    const theirs = template(4, { introduction: 'Three questions.' });
    const result = await typeWhileSaving(Response.json({ current: theirs }, { status: 412 }));
    expect(result.current.conflict).toMatchObject({ current: theirs, mine: { welcome: 'Hello there.' } });
  });
});

test('if somebody else saves again during a conflict, the next conflict compares their second save with their first', async () => {
  const conflictWith = (current: ProjectTemplate) =>
    answerCalls(() => Response.json({ current }, { status: 412 }));
  const { result } = open(template(3));
  act(() => result.current.change({ welcome: 'Hello.' }));
  conflictWith(template(4, { introduction: 'Three questions.' }));
  await act(async () => result.current.formProps.onSubmit({ preventDefault: () => undefined } as FormEvent));
  conflictWith(template(5, { introduction: 'Four questions.' }));
  const chosen = { ...result.current.conflict!.mine, introduction: 'Three questions.' };
  await act(() => result.current.conflict!.resolve(chosen));
  expect(result.current.conflict).toMatchObject({
    current: { version: 5 },
    before: { introduction: 'Three questions.' },
  });
});
