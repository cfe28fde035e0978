import { type FocusEvent, type FormEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { Answer, Problem } from './api.js';

/** Each returns a sentence if the value is invalid. */
type Checks<Name extends string> = Record<Name, (value: string) => string | undefined>;

/** Local part, one @, a domain with a dot: rejects what is certainly wrong; the server checks the rest. */
export const looksLikeEmailAddress = (value: string): boolean =>
  /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(value.trim());

export interface SendMetadata {
  /** The same as long as the values are the same, so that a repeated attempt takes effect once. */
  idempotencyKey: string;
  /** The honeypot's value, and how long the form was visible, in ms. */
  spamSigns: { website: string; filledMs: number };
}

interface FormOptions<Name extends string, T> {
  checks: Checks<Name>;
  send(values: Record<Name, string>, metadata: SendMetadata): Promise<Answer<T>>;
  /** The form counts as being sent until this resolves. */
  onSent(value: T): void | Promise<void>;
}

type FieldErrors<Name extends string> = Partial<Record<Name, string>>;

/** The errors of a form, shown at its fields and above its button. `names` must be in the order of the fields. */
export function useFieldErrors<Name extends string>(
  names: readonly Name[],
  errorOf: (name: Name, value: string) => string | undefined,
) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors<Name>>({});
  const [problem, setProblem] = useState<Problem>();

  function show(found: FieldErrors<Name>): void {
    setErrors(found);
    const first = names.find((name) => found[name]);
    const input = first && form.current?.elements.namedItem(first);
    if (input instanceof HTMLElement) input.focus();
  }

  function check(name: Name, value: string): void {
    setErrors((known) => ({ ...known, [name]: errorOf(name, value) }));
  }

  return {
    form,
    errors,
    problem,
    check,
    /** The error disappears as soon as the field is corrected. */
    checkAgain(name: Name, value: string): void {
      if (errors[name]) check(name, value);
    },
    validate(values: Record<Name, string>): boolean {
      const found = names.map((name) => [name, errorOf(name, values[name])] as const);
      setProblem(undefined);
      show(Object.fromEntries(found) as FieldErrors<Name>);
      return !found.some(([, error]) => error);
    },
    showRefusal(
      refusal: Problem,
      wording: (name: string, message: string) => string = (_, message) => message,
    ) {
      setProblem({ ...refusal, shownAtFields: true });
      const found = refusal.fields.map(({ field, message }) => [field, wording(field, message)]);
      show(Object.fromEntries(found) as FieldErrors<Name>);
    },
  };
}

export function useIdempotencyKeys(): IdempotencyKeys {
  const [keys] = useState(createIdempotencyKeys);
  return keys;
}

interface IdempotencyKeys {
  /** Returns the same key as long as the values are the same, so that a repeated attempt takes effect once. */
  (values: object): string;
  /** Call this when a second click can no longer mean the same request. */
  renew(): void;
}

export function createIdempotencyKeys(): IdempotencyKeys {
  let latest = { values: '', key: '' };
  function keyFor(values: object): string {
    const text = JSON.stringify(values);
    if (latest.values !== text) latest = { values: text, key: newIdempotencyKey() };
    return latest.key;
  }
  return Object.assign(keyFor, { renew: () => void (latest = { values: '', key: '' }) });
}

/**
 * The inputs are uncontrolled, so that text typed before hydration is not lost. A field is checked when it loses the focus, except to a button.
 * Sending checks all fields, and focuses the first invalid one.
 */
export function useForm<Name extends string, T>({ checks, send, onSent }: FormOptions<Name, T>) {
  const names = Object.keys(checks) as Name[];
  const fieldErrors = useFieldErrors(names, (name, value) => checks[name](value));
  const { form, errors, problem } = fieldErrors;
  const [sending, setSending] = useState(false);
  const seenAt = useSeenAt();
  const keyFor = useIdempotencyKeys();

  function valueOf(name: Name): string {
    // `FormData` leaves out an unchecked checkbox, whose value is empty here.
    return String(new FormData(form.current ?? undefined).get(name) ?? '');
  }

  function takeMetadata(values: Record<Name, string>): SendMetadata {
    const honeypot = form.current?.elements.namedItem('website') as HTMLInputElement | null;
    const website = honeypot?.value ?? '';
    // If autofill has filled the honeypot, the person succeeds with the next attempt.
    if (honeypot) honeypot.value = '';
    const filledMs = Math.round(performance.now() - seenAt);
    return { idempotencyKey: keyFor(values), spamSigns: { website, filledMs } };
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (sending) return;
    const values = Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>;
    if (!fieldErrors.validate(values)) return;
    setSending(true);
    const answer = await send(values, takeMetadata(values));
    if (answer.ok) await onSent(answer.value);
    else fieldErrors.showRefusal(answer.problem);
    setSending(false);
  }

  return {
    /**
     * `noValidate`, because the browser's own messages would appear instead of those of `checks`. A reset renews the idempotency key. Success does
     * not, because the button can still be clicked while the next screen is loading.
     */
    form: { ref: form, noValidate: true, onSubmit: submit, onReset: keyFor.renew },
    field: (name: Name) => ({
      name,
      error: errors[name],
      // No check when the focus moves to a button or link: a message that appears or disappears would move it away from under the pointer.
      onBlur: ({ relatedTarget }: FocusEvent) =>
        relatedTarget?.matches('a, button') || fieldErrors.check(name, valueOf(name)),
      onChange: () => fieldErrors.checkAgain(name, valueOf(name)),
    }),
    problem,
    sending,
  };
}

const subscribeToNothing = () => () => {};

/** When the form appeared, in ms since the page was opened; 0 if the form was in the server's HTML. */
function useSeenAt(): number {
  const cameWithPage = useSyncExternalStore(
    subscribeToNothing,
    () => false,
    () => true,
  );
  const [seenAt] = useState(() => (cameWithPage ? 0 : performance.now()));
  return seenAt;
}

/** 128 random bits in hexadecimal. `crypto.randomUUID` exists in secure contexts only. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
