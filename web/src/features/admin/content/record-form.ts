import { type FormEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { fieldFault, type Section } from '#libs/content-model';
import type { Problem } from '../../../lib/api.js';
import { newIdempotencyKey } from '../../../lib/form.js';
import { notify } from '../../../lib/notices.js';
import { useSession } from '../../../lib/session.js';
import { useRefresh } from '../../../lib/site.js';
import type { UploadState } from '../images/upload.js';
import {
  createRecord,
  type StoredRecord,
  updateRecord,
  type Values,
} from '../../../workspace/content-api.js';
import { useAccount } from '../../../workspace/current-screen.js';
import { type Draft, draftKey, dropDraft, keepDraft, readDraft } from '../../../workspace/drafts.js';

/** Somebody saved the record since it was read. */
export interface Conflict {
  current: StoredRecord;
  /** What was typed here. */
  mine: Values;
  /** What both started from. */
  before: Values;
}

interface RecordFormOptions {
  section: Section;
  /** Left out to add one. */
  record?: StoredRecord;
  /** Sent with what is typed: the specification's hidden fields. */
  fixed?: Values;
  saved?(record: StoredRecord): void;
}

/** Every declared field, an absent one as empty. */
export function valuesOf(section: Section, record: Partial<Values> | undefined): Values {
  return Object.fromEntries(Object.keys(section.fields).map((name) => [name, record?.[name] ?? '']));
}

const same = (a: Values, b: Values) => Object.keys(a).every((name) => a[name] === b[name]);

/**
 * A form over a section's declaration: what is typed, what is wrong with it, and how it is saved. Nothing typed is ever lost: a
 * draft is kept until it is saved, a refusal leaves everything as it is, and a colleague's change is shown, not overwritten.
 */
export function useRecordForm({ section, record, fixed, saved }: RecordFormOptions) {
  const form = useRef<HTMLFormElement>(null);
  const refreshSite = useRefresh();
  const key = draftKey(useAccount().id, section.name, record?._id ?? 'new');
  /** What is stored, as far as is known here. */
  const [base, setBase] = useState(record);
  /** What is being changed: an older one once an older draft was taken up, so that newer changes are not passed over. */
  const [version, setVersion] = useState(record?.version);
  const stored = useMemo(() => valuesOf(section, base), [section, base]);
  const [values, setValues] = useState(stored);
  const [errors, setErrors] = useState<Values>({});
  const [problem, setProblem] = useState<Problem>();
  const [sending, setSending] = useState(false);
  const [conflict, setConflict] = useState<Conflict>();
  const [draft, setDraft] = useState<Draft | undefined>(() => {
    const kept = readDraft(key);
    return kept && !same(stored, { ...stored, ...kept.values }) ? kept : undefined;
  });
  /** What was being saved when the session ended. */
  const [heldUp, setHeldUp] = useState<Values>();
  const session = useSession();
  const attempt = useRef({ text: '', idempotencyKey: '' });
  const unsaved = !same(stored, values);
  const uploads = useUploads(() => save(values));

  useEffect(() => {
    if (unsaved) keepDraft(key, { values, version: version ?? null });
    else if (!draft) dropDraft(key);
  }, [key, values, unsaved, version, draft]);

  // Signed in again, the person need not press the button again.
  const goOn = useEffectEvent(() => heldUp && void save(heldUp));
  useEffect(() => {
    if (heldUp && session.status === 'signed-in') goOn();
  }, [heldUp, session]);

  function change(name: string, value: string): void {
    setValues((before) => ({ ...before, [name]: value }));
    // What is mended is no longer called wrong.
    if (errors[name]) setErrors((before) => ({ ...before, [name]: faultOf(name, value) }));
  }

  function faultOf(name: string, value: string): string {
    const field = section.fields[name];
    const fault = field && fieldFault(field, value);
    return fault ? said(section, name, fault) : '';
  }

  function focusFirst(faults: Values): void {
    const first = Object.keys(section.fields).find((name) => faults[name]);
    const input = first && form.current?.elements.namedItem(first);
    if (input instanceof HTMLElement) input.focus();
  }

  /** Saves what is given, and shows it while it is saved. */
  async function save(wanted: Values, ifVersion = version): Promise<void> {
    if (sending) return;
    setValues(wanted);
    const faults = Object.fromEntries(
      Object.keys(section.fields).map((name) => [name, faultOf(name, wanted[name] ?? '')]),
    );
    setErrors(faults);
    setProblem(undefined);
    if (Object.values(faults).some(Boolean)) {
      setConflict(undefined);
      return focusFirst(faults);
    }
    setHeldUp(undefined);
    setSending(true);
    const answer = await (base
      ? updateRecord(section, { _id: base._id, version: ifVersion }, { ...wanted, ...fixed })
      : create(wanted));
    setSending(false);
    if (answer.ok) return accept(answer.value, base ? section.notices.updated : section.notices.created);
    if (answer.problem.status === 412 && answer.problem.current) {
      const current = answer.problem.current as StoredRecord;
      return setConflict({ current, mine: wanted, before: stored });
    }
    if (answer.problem.status === 401) setHeldUp(wanted);
    setConflict(undefined);
    setProblem(answer.problem);
    const refused = Object.fromEntries(
      answer.problem.fields.map(({ field, message }) => [field, said(section, field, message)]),
    );
    setErrors(refused);
    focusFirst(refused);
  }

  function create(wanted: Values) {
    const text = JSON.stringify(wanted);
    if (attempt.current.text !== text) attempt.current = { text, idempotencyKey: newIdempotencyKey() };
    const filled = Object.entries(wanted).filter(([, value]) => value !== '');
    const body = { ...Object.fromEntries(filled), ...fixed };
    return createRecord(section, body, attempt.current.idempotencyKey);
  }

  function know(current: StoredRecord): void {
    setBase(current);
    setVersion(current.version);
  }

  function accept(answered: StoredRecord, notice: string): void {
    dropDraft(key);
    setDraft(undefined);
    setConflict(undefined);
    attempt.current = { text: '', idempotencyKey: '' };
    // A form that adds is free for the next one; a form that changes goes on from what is stored now.
    if (base) know(answered);
    setValues(valuesOf(section, base ? answered : undefined));
    notify(notice);
    refreshSite();
    saved?.(answered);
  }

  return {
    values,
    errors,
    problem,
    sending,
    unsaved,
    uploads,
    /** The record as it is known to be stored; undefined for a new one. */
    base,
    change,
    save,
    /** For the `<form>`. */
    form: {
      ref: form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        if (uploads.underWay) uploads.wait();
        else void save(values);
      },
    },
    /** An older draft that may be taken up again. */
    draft: draft && {
      ...draft,
      restore() {
        setValues({ ...stored, ...draft.values });
        if (draft.version !== null) setVersion(draft.version);
        setDraft(undefined);
      },
      discard() {
        dropDraft(key);
        setDraft(undefined);
      },
    },
    conflict: conflict && {
      ...conflict,
      /** Saves the chosen values over the colleague's version. */
      resolve: (chosen: Values) => {
        know(conflict.current);
        return save(chosen, conflict.current.version);
      },
      /** Goes on editing from the chosen values. */
      edit(chosen: Values) {
        know(conflict.current);
        setValues(chosen);
        setConflict(undefined);
      },
    },
  };
}

/** Pictures on their way. A form that is sent meanwhile is saved with them, not with the addresses of before. */
function useUploads(save: () => Promise<void>) {
  const [sending, setSending] = useState<readonly string[]>([]);
  const [awaited, setAwaited] = useState(false);
  const underWay = sending.length > 0;
  const goOn = useEffectEvent(() => void save().finally(() => setAwaited(false)));
  useEffect(() => {
    if (awaited && !underWay) goOn();
  }, [awaited, underWay]);
  return {
    underWay,
    awaited,
    wait: () => setAwaited(true),
    tell(name: string, state: UploadState) {
      setSending((before) => [
        ...before.filter((other) => other !== name),
        ...(state === 'sending' ? [name] : []),
      ]);
      // Without its picture nothing is saved: whoever sent it decides anew.
      if (state === 'failed') setAwaited(false);
    },
  };
}

export type RecordForm = ReturnType<typeof useRecordForm>;

/** The server says either a whole sentence or what follows the field's name. */
function said(section: Section, name: string, message: string): string {
  return /^\p{Lu}/u.test(message) ? message : `${section.fields[name]?.label ?? name} ${message}`;
}
