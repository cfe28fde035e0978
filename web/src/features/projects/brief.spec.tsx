/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './brief.route.js';

const id = '0199c0de-0000-7000-8000-000000000001';
const notFound = () => Response.json({ code: 'NOT_FOUND' }, { status: 404 });

afterEach(() => {
  jest.useRealTimers();
  localStorage.clear();
});

test.each([
  ['No questions', () => Response.json({ _id: id, title: 'SEO audit', number: 7 })],
  ['Project not found', notFound],
])('without a brief, “%s” is shown only after the answer about the project', async (title, answer) => {
  let settle!: (response: Response) => void;
  const project = new Promise<Response>((resolve) => (settle = resolve));
  const site = (call: string) =>
    call === `GET /project/${id}` ? project : call === `GET /project/${id}/brief` ? notFound() : undefined;
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  openScreen(Component, site, { path: '/project/:id/brief', at: `/project/${id}/brief` });
  // The answer about the brief arrives.
  await act(() => jest.advanceTimersByTimeAsync(1_000));
  expect(screen.queryByText(/No questions|Project not found/)).toBeNull();
  jest.useRealTimers();
  await act(async () => settle(answer()));
  await screen.findByText(title);
});

test('leaving a field completes its web address and removes its error', async () => {
  const question = { id: 'site', label: 'Your site', help: '', kind: 'url', required: true, options: [] };
  const brief = { questions: [question], answers: {}, files: [], introduction: '', version: 1 };
  const stored = { ...brief, savedAt: null, savedBy: null, completedAt: null };
  const site = (call: string) =>
    Response.json(call === `GET /project/${id}` ? { _id: id, title: 'SEO audit', number: 7 } : stored);
  openScreen(Component, site, { path: '/project/:id/brief', at: `/project/${id}/brief` });
  const address = await screen.findByRole<HTMLInputElement>('textbox', { name: /Your site/ });
  fireEvent.submit(address.form!);
  expect(screen.queryAllByText('Please answer this question.')).toHaveLength(1);
  fireEvent.change(address, { target: { value: 'example.com' } });
  fireEvent.blur(address);
  expect(address.value).toBe('https://example.com');
  expect(screen.queryByText('Please answer this question.')).toBeNull();
});

test.each([
  ['saved', 'INVALID_TRANSITION', 409],
  ['sent', 'VERSION_MISMATCH', 412],
])(
  'answers that are %s after a colleague has completed the brief are replaced with the colleague’s',
  async (how, code, status) => {
    const question = { id: 'goal', label: 'Goal', help: '', kind: 'short_text', required: true, options: [] };
    const open = { questions: [question], answers: {}, files: [], introduction: '', version: 1 };
    const completion = { completedAt: '2026-11-20T10:00:00.000Z', completedBy: 'Grace' };
    const current = { ...open, answers: { goal: 'Theirs' }, ...completion, version: 2 };
    let brief: object = { ...open, savedAt: null, savedBy: null, completedAt: null };
    const site = (call: string) => {
      if (call === `GET /project/${id}`) return Response.json({ _id: id, title: 'SEO audit', number: 7 });
      if (call.startsWith('GET')) return Response.json(brief);
      brief = current;
      return Response.json({ code, current }, { status });
    };
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
    openScreen(Component, site, { path: '/project/:id/brief', at: `/project/${id}/brief` });
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    const goal = screen.getByRole<HTMLInputElement>('textbox', { name: /Goal/ });
    fireEvent.change(goal, { target: { value: 'Mine' } });
    if (how === 'sent') fireEvent.submit(goal.form!);
    await act(() => jest.advanceTimersByTimeAsync(2_000));
    screen.getByText(/^Sent by Grace/);
    screen.getByText('Theirs');
  },
);

test('answers cannot be changed while they are being sent', async () => {
  const question = { id: 'goal', label: 'Goal', help: '', kind: 'short_text', required: true, options: [] };
  const brief = { questions: [question], answers: {}, files: [], introduction: '', version: 1 };
  const stored = { ...brief, savedAt: null, savedBy: null, completedAt: null };
  let arrive!: (answer: Response) => void;
  const site = (call: string) => {
    if (call === `POST /project/${id}/brief/completion`)
      return new Promise<Response>((resolve) => (arrive = resolve));
    return Response.json(call === `GET /project/${id}` ? { _id: id, title: 'SEO audit', number: 7 } : stored);
  };
  openScreen(Component, site, { path: '/project/:id/brief', at: `/project/${id}/brief` });
  const goal = await screen.findByRole<HTMLInputElement>('textbox', { name: /Goal/ });
  const isInert = () => goal.closest('[inert]') !== null;
  fireEvent.change(goal, { target: { value: 'More visitors' } });
  goal.focus();
  const button = screen.getByRole('button', { name: 'Send answers' });
  await act(async () => void fireEvent.click(button));
  expect([isInert(), document.activeElement]).toEqual([true, button]);
  await act(async () => arrive(Response.json({ detail: 'Not now.' }, { status: 503 })));
  screen.getByText('Not now.');
  expect(isInert()).toBe(false);
});

const goalQuestion = { id: 'goal', label: 'Goal', help: '', kind: 'short_text', required: true, options: [] };
const siteQuestion = { ...goalQuestion, id: 'site', label: 'Your site', kind: 'url' };
const emptyBrief = {
  ...{ questions: [siteQuestion, goalQuestion], answers: {}, files: [], introduction: '', version: 1 },
  ...{ savedAt: null, savedBy: null, completedAt: null },
};

/** Opens the screen with these answers, and returns the two text fields. `complete` answers when the answers are sent. */
async function openQuestions(answers: object, complete: (body: unknown) => Response) {
  const site = (call: string, body?: unknown) => {
    if (call === `POST /project/${id}/brief/completion`) return complete(body);
    if (call === `GET /project/${id}`) return Response.json({ _id: id, title: 'SEO audit', number: 7 });
    return Response.json({ ...emptyBrief, answers });
  };
  const Screen = () => (
    <main id="main" tabIndex={-1}>
      <Component />
    </main>
  );
  openScreen(Screen, site, { path: '/project/:id/brief', at: `/project/${id}/brief` });
  const address = await screen.findByRole<HTMLInputElement>('textbox', { name: /Your site/ });
  return { address, goal: screen.getByRole<HTMLInputElement>('textbox', { name: /Goal/ }) };
}

test('errors stay while a button is being clicked, so that it does not move away from under the pointer', async () => {
  const { address } = await openQuestions({ goal: 'More visitors' }, () => Response.json({}));
  fireEvent.submit(address.form!);
  fireEvent.change(address, { target: { value: 'example.com' } });
  fireEvent.blur(address, { relatedTarget: screen.getByRole('button', { name: 'Send answers' }) });
  expect(address.value).toBe('https://example.com');
  screen.getByText('Please answer this question.');
});

test('the focus moves to the first answer that the server refuses, as soon as the fields can be used again', async () => {
  const errors = [{ field: 'answers.goal', message: 'must have at most 500 characters' }];
  const { goal } = await openQuestions({ site: 'https://example.com', goal: 'More visitors' }, () =>
    Response.json({ code: 'INVALID_INPUT', errors }, { status: 400 }),
  );
  const wasInert: boolean[] = [];
  goal.addEventListener('focus', () => wasInert.push(goal.closest('[inert]') !== null));
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Send answers' })));
  await screen.findByText('This answer must have at most 500 characters.');
  expect(wasInert).toEqual([false]);
});

test('an incomplete web address is also completed when the Enter key sends the answers', async () => {
  const sent: unknown[] = [];
  const { address } = await openQuestions({ goal: 'More visitors' }, (body) => {
    sent.push(body);
    return Response.json({ detail: 'Not now.' }, { status: 503 });
  });
  fireEvent.change(address, { target: { value: 'example.com' } });
  await act(async () => void fireEvent.submit(address.form!));
  expect(sent[0]).toEqual({ answers: { site: 'https://example.com' } });
});

test.each(['Keep mine', 'Use theirs'])(
  'the focus is not lost when “%s” makes the two buttons disappear',
  async (name) => {
    const answers = { site: 'https://example.com' };
    const theirs = { answers: { ...answers, goal: 'Theirs' }, savedBy: 'Grace', version: 2 };
    const current = { ...emptyBrief, ...theirs };
    const { goal } = await openQuestions(answers, () =>
      Response.json({ code: 'VERSION_MISMATCH', current }, { status: 412 }),
    );
    fireEvent.change(goal, { target: { value: 'Mine' } });
    await act(async () => void fireEvent.submit(goal.form!));
    const button = screen.getByRole('button', { name });
    button.focus();
    fireEvent.click(button);
    expect(button.isConnected).toBe(false);
    expect(document.activeElement?.id).toBe('main');
  },
);

test('the questions of a closed project cannot be filled in', async () => {
  const brief = { questions: [], answers: {}, files: [], introduction: '', version: 1 };
  const stored = { ...brief, savedAt: null, savedBy: null, completedAt: null };
  const project = { _id: id, title: 'SEO audit', number: 7, state: 'closed' };
  const site = (call: string) => Response.json(call === `GET /project/${id}` ? project : stored);
  openScreen(Component, site, { path: '/project/:id/brief', at: `/project/${id}/brief` });
  await screen.findByText('This project is closed');
  expect(screen.queryByRole('form')).toBeNull();
});
