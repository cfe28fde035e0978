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
  /** The form counts as being sent until this has resolved. */
  sent(value: T): void | Promise<void>;
}

type Faults<Name extends string> = Partial<Record<Name, string>>;

/** What is wrong with a form: said at its fields and above its button. `names` in the order of the fields. */
export function useFaults<Name extends string>(
  names: readonly Name[],
  faultOf: (name: Name, value: string) => string | undefined,
) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Faults<Name>>({});
  const [problem, setProblem] = useState<Problem>();

  /** Says what is wrong; the focus goes to the first field that is. */
  function show(faults: Faults<Name>): void {
    setErrors(faults);
    const first = names.find((name) => faults[name]);
    const input = first && form.current?.elements.namedItem(first);
    if (input instanceof HTMLElement) input.focus();
  }

  function check(name: Name, value: string): void {
    setErrors((known) => ({ ...known, [name]: faultOf(name, value) }));
  }

  return {
    form,
    errors,
    problem,
    check,
    /** What has been corrected is no longer called wrong. */
    checkAgain(name: Name, value: string): void {
      if (errors[name]) check(name, value);
    },
    /** Checks all fields before they are sent, and says what is wrong. */
    accepts(values: Record<Name, string>): boolean {
      const faults = names.map((name) => [name, faultOf(name, values[name])] as const);
      setProblem(undefined);
      show(Object.fromEntries(faults) as Faults<Name>);
      return !faults.some(([, fault]) => fault);
    },
    /** The server has refused what was sent. */
    refuse(refusal: Problem, wording: (name: string, message: string) => string = (_, message) => message) {
      setProblem(refusal);
      const faults = refusal.fields.map(({ field, message }) => [field, wording(field, message)]);
      show(Object.fromEntries(faults) as Faults<Name>);
    },
  };
}

/** Gives the same key as long as the values are the same: what is sent again after a failure takes effect once. */
export function useIdempotencyKey(): (values: object) => string {
  const attempt = useRef({ values: '', key: '' });
  return (values) => {
    const text = JSON.stringify(values);
    if (attempt.current.values !== text) attempt.current = { values: text, key: newIdempotencyKey() };
    return attempt.current.key;
  };
}

/**
 * A form whose inputs hold their own values, so that nothing typed before hydration or through a failure is lost.
 * Faults show when a field is left and when the form is sent; then the focus goes to the first.
 */
export function useForm<Name extends string, T>({ checks, send, sent }: FormOptions<Name, T>) {
  const names = Object.keys(checks) as Name[];
  const faults = useFaults(names, (name, value) => checks[name](value));
  const { form, errors, problem } = faults;
  const [sending, setSending] = useState(false);
  const seenAt = useSeenAt();
  const idempotencyKey = useIdempotencyKey();

  function valueOf(name: Name): string {
    const input = form.current?.elements.namedItem(name);
    if (input instanceof HTMLInputElement && input.type === 'checkbox')
      return input.checked ? input.value : '';
    return input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement ? input.value : '';
  }

  function sendingOf(values: Record<Name, string>): Sending {
    const honeypot = form.current?.elements.namedItem('website');
    const website = honeypot instanceof HTMLInputElement ? honeypot.value : '';
    // Should a browser have filled it for a person, their next try is free of it.
    if (honeypot instanceof HTMLInputElement) honeypot.value = '';
    const filledMs = Math.round(performance.now() - seenAt);
    return { idempotencyKey: idempotencyKey(values), signs: { website, filledMs } };
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (sending) return;
    const values = Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>;
    if (!faults.accepts(values)) return;
    setSending(true);
    const answer = await send(values, sendingOf(values));
    if (answer.ok) await sent(answer.value);
    else faults.refuse(answer.problem);
    setSending(false);
  }

  return {
    /** For the `<form>`. The browser's own bubbles would speak before the documented hints can. */
    form: { ref: form, noValidate: true, onSubmit: submit },
    field: (name: Name) => ({
      name,
      error: errors[name],
      // Not on the way to the button: a sentence that appears or goes would move it from under the pointer.
      onBlur: ({ relatedTarget }: FocusEvent) =>
        relatedTarget instanceof HTMLButtonElement || faults.check(name, valueOf(name)),
      onChange: () => faults.checkAgain(name, valueOf(name)),
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
