/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Field } from './Field.js';
import { FormProblem } from './FormProblem.js';
import { Honeypot } from './Honeypot.js';
import type { Answer } from '../lib/api.js';
import { type SendMetadata, useForm } from '../lib/form.js';

type Values = Record<'name' | 'email', string>;

const send = jest.fn<(values: Values, metadata: SendMetadata) => Promise<Answer<string>>>();
const onSent = jest.fn<(value: string) => void>();
const success = (value: string): Answer<string> => ({ ok: true, value, headers: new Headers() });
const refusal = (sentence: string, fields: { field: string; message: string }[] = []): Answer<string> => ({
  ok: false,
  problem: { status: 400, sentence, fields },
});

function SignUp() {
  const { form, field, problem, sending } = useForm<'name' | 'email', string>({
    checks: {
      name: (value) => (value ? undefined : 'Enter your name'),
      email: (value) => (value.includes('@') ? undefined : 'Enter your e-mail'),
    },
    send,
    onSent,
  });
  return (
    <form {...form}>
      <Field {...field('name')} label="Name" />
      <Field {...field('email')} label="E-mail" />
      <Honeypot />
      <FormProblem problem={problem} />
      <button type="submit">{sending ? 'Sending' : 'Sign up'}</button>
    </form>
  );
}

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(input(label), { target: { value } });
const submit = () => act(async () => void fireEvent.click(screen.getByRole('button')));

function fillIn() {
  render(<SignUp />);
  type('Name', 'Ada');
  type('E-mail', 'ada@example.com');
}

beforeEach(() => {
  send.mockReset();
  onSent.mockReset();
});
afterEach(cleanup);

test('an incomplete form is not sent: each error is shown, and the first invalid field is focused', async () => {
  render(<SignUp />);
  await submit();
  expect(send).not.toHaveBeenCalled();
  expect(screen.getByText('Enter your name')).toBe(document.getElementById('name-error'));
  expect(input('E-mail').getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(input('Name'));
});

test('an error appears when its field loses the focus, and disappears once it is corrected', () => {
  render(<SignUp />);
  fireEvent.blur(input('E-mail'));
  expect(screen.queryByText('Enter your e-mail')).not.toBeNull();
  type('E-mail', 'ada@example.com');
  expect(screen.queryByText('Enter your e-mail')).toBeNull();
});

test('moving from a field to the button shows no error, which would push the button away from the pointer', () => {
  render(<SignUp />);
  fireEvent.blur(input('E-mail'), { relatedTarget: screen.getByRole('button') });
  expect(screen.queryByText('Enter your e-mail')).toBeNull();
});

test('the values are sent, and the answer is passed on', async () => {
  send.mockResolvedValue(success('subscriber 1'));
  fillIn();
  await submit();
  expect(send.mock.lastCall?.[0]).toEqual({ name: 'Ada', email: 'ada@example.com' });
  expect(onSent.mock.calls).toEqual([['subscriber 1']]);
});

test('an error from the server appears at its field, which is focused and linked to, and all values stay', async () => {
  send.mockResolvedValue(
    refusal('Please fix the highlighted fields.', [{ field: 'email', message: 'This address is taken' }]),
  );
  fillIn();
  await submit();
  expect(screen.getByRole('alert').textContent).toBe('Please check: E-mail');
  expect(screen.getByText('This address is taken')).toBe(document.getElementById('email-error'));
  expect(document.activeElement).toBe(input('E-mail'));
  act(() => input('Name').focus());
  fireEvent.click(screen.getByRole('link', { name: 'E-mail' }));
  expect(document.activeElement).toBe(input('E-mail'));
  expect(input('Name').value).toBe('Ada');
  expect(input('E-mail').value).toBe('ada@example.com');
  expect(onSent).not.toHaveBeenCalled();
});

test('a double click sends once', async () => {
  let answer!: (value: Answer<string>) => void;
  send.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  fillIn();
  await submit();
  await submit();
  await act(async () => answer(success('subscriber 1')));
  expect(send).toHaveBeenCalledTimes(1);
  expect(onSent).toHaveBeenCalledTimes(1);
});

test('repeating the same values after a failure uses the same idempotency key, and other values use another', async () => {
  send.mockResolvedValue(refusal('We can’t reach the site.'));
  fillIn();
  await submit();
  await submit();
  type('Name', 'Grace');
  await submit();
  const [firstKey, repeatedKey, otherKey] = send.mock.calls.map(([, { idempotencyKey }]) => idempotencyKey);
  expect(firstKey).toMatch(/^[\da-f]{32}$/);
  expect(repeatedKey).toBe(firstKey);
  expect(otherKey).not.toBe(firstKey);
});

test('a second click after success uses the same idempotency key; after a reset, the same values get another key', async () => {
  send.mockResolvedValue(success('subscriber 1'));
  fillIn();
  await submit();
  await submit();
  act(() => document.querySelector('form')!.reset());
  type('Name', 'Ada');
  type('E-mail', 'ada@example.com');
  await submit();
  const [firstKey, repeatedKey, otherKey] = send.mock.calls.map(([, { idempotencyKey }]) => idempotencyKey);
  expect(repeatedKey).toBe(firstKey);
  expect(otherKey).not.toBe(firstKey);
});

test('the honeypot’s value is sent once, so that a person whose browser filled it in can try again', async () => {
  send.mockResolvedValue(refusal('Try again.'));
  fillIn();
  document.querySelector<HTMLInputElement>('[name="website"]')!.value = 'https://spam.example';
  await submit();
  await submit();
  expect(send.mock.calls.map(([, { spamSigns }]) => spamSigns.website)).toEqual(['https://spam.example', '']);
});

test('a form that shows no messages at its fields shows the sentence of a refusal that names fields', () => {
  const fields = [{ field: 'text', message: 'is too long' }];
  render(
    <>
      <Field name="text" label="Text" />
      <FormProblem problem={{ status: 400, sentence: 'The text is too long.', fields }} />
    </>,
  );
  expect(screen.getByRole('alert').textContent).toBe('The text is too long.');
});
