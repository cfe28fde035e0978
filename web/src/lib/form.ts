import { type FocusEvent, type FormEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { Answer, Problem } from './api.js';

/** What each field must satisfy: a sentence when it does not. */
type Checks<Name extends string> = Record<Name, (value: string) => string | undefined>;

/** Local part, one @, a domain with a dot: what is certainly wrong is said at once, the server judges the rest. */
export const looksLikeAddress = (value: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(value.trim());

/** What goes with the values. */
export interface Sending {
  /** The same while the values are: what is sent again after a failure arrives once. */
  idempotencyKey: string;
  /** By which the server tells programs from people: what the honeypot holds, and how long the form was in sight, in ms. */
  signs: { website: string; filledMs: number };
}

interface FormOptions<Name extends string, T> {
  checks: Checks<Name>;
  send(values: Record<Name, string>, sending: Sending): Promise<Answer<T>>;
  sent(value: T): void;
}

/**
 * A form whose inputs hold their own values, so that nothing typed before hydration or through a failure is lost.
 * Faults show when a field is left and when the form is sent; then the focus goes to the first.
 */
export function useForm<Name extends string, T>({ checks, send, sent }: FormOptions<Name, T>) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({});
  const [problem, setProblem] = useState<Problem>();
  const [sending, setSending] = useState(false);
  const seenAt = useSeenAt();
  const attempt = useRef({ values: '', idempotencyKey: '' });
  const names = Object.keys(checks) as Name[];

  function valueOf(name: Name): string {
    const input = form.current?.elements.namedItem(name);
    if (input instanceof HTMLInputElement && input.type === 'checkbox')
      return input.checked ? input.value : '';
    return input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement ? input.value : '';
  }

  function sendingOf(values: Record<Name, string>): Sending {
    const text = JSON.stringify(values);
    if (attempt.current.values !== text)
      attempt.current = { values: text, idempotencyKey: newIdempotencyKey() };
    const honeypot = form.current?.elements.namedItem('website');
    const website = honeypot instanceof HTMLInputElement ? honeypot.value : '';
    // Should a browser have filled it for a person, their next try is free of it.
    if (honeypot instanceof HTMLInputElement) honeypot.value = '';
    const filledMs = Math.round(performance.now() - seenAt);
    return { idempotencyKey: attempt.current.idempotencyKey, signs: { website, filledMs } };
  }

  function focusFirst(faults: Partial<Record<Name, string>>): void {
    const first = names.find((name) => faults[name]);
    const input = first && form.current?.elements.namedItem(first);
    if (input instanceof HTMLElement) input.focus();
  }

  function check(name: Name): void {
    setErrors((known) => ({ ...known, [name]: checks[name](valueOf(name)) }));
  }

  /** Not on the way to the button: a sentence that appears or goes would move it from under the pointer. */
  function checkOnLeaving(name: Name, { relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof HTMLButtonElement)) check(name);
  }

  /** What is mended is no longer called wrong. */
  function checkAgain(name: Name): void {
    if (errors[name]) check(name);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (sending) return;
    const values = Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>;
    const faults = Object.fromEntries(names.map((name) => [name, checks[name](values[name])]));
    setErrors(faults as Partial<Record<Name, string>>);
    setProblem(undefined);
    if (Object.values(faults).some(Boolean)) return focusFirst(faults as Partial<Record<Name, string>>);
    setSending(true);
    const answer = await send(values, sendingOf(values));
    setSending(false);
    if (answer.ok) return sent(answer.value);
    setProblem(answer.problem);
    const refused = Object.fromEntries(answer.problem.fields.map(({ field, message }) => [field, message]));
    setErrors(refused as Partial<Record<Name, string>>);
    focusFirst(refused as Partial<Record<Name, string>>);
  }

  return {
    /** For the `<form>`. The browser's own bubbles would speak before the documented hints can. */
    form: { ref: form, noValidate: true, onSubmit: submit },
    field: (name: Name) => ({
      name,
      error: errors[name],
      onBlur: (event: FocusEvent) => checkOnLeaving(name, event),
      onChange: () => checkAgain(name),
    }),
    problem,
    sending,
  };
}

const never = () => () => {};

/** When the form came into sight, in ms since the page was opened: with the page itself where the server rendered it. */
function useSeenAt(): number {
  const cameWithPage = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const [seenAt] = useState(() => (cameWithPage ? 0 : performance.now()));
  return seenAt;
}

/** 128 random bits. `crypto.randomUUID` is there on HTTPS only. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
