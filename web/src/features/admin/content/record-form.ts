import { type FormEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { fieldFault, type Section } from '#libs/content-model';
import type { Problem } from '../../../lib/api.js';
import { useFieldErrors, useIdempotencyKeys } from '../../../lib/form.js';
import { showToast } from '../../../lib/toasts.js';
import { useSession } from '../../../lib/session.js';
import { useRefreshSite } from '../../../lib/site.js';
import { useSave } from '../../../workspace/query.js';
import type { UploadState } from '../images/upload.js';
import {
  createRecord,
  type StoredRecord,
  updateRecord,
  type Values,
} from '../../../workspace/content-api.js';
import { useAccount } from '../../../workspace/current-screen.js';
import { useIsShown } from '../../../workspace/use-is-shown.js';
import { acceptOwn, useConflict } from '../../../workspace/use-conflict.js';
import { type Draft, draftKey, dropDraft, keepDraft, readDraft } from '../../../workspace/drafts.js';

interface RecordFormOptions {
  section: Section;
  /** Left out to add a record. */
  record?: StoredRecord;
  /** Names the draft of a new record. Left out if the section has only one form that adds records. */
  draftName?: string;
  /** Sent along with the typed values. */
  fixedValues?: Values;
  onSaved?(record: StoredRecord): void;
}

/** Every declared field; absent or empty ones have their default, or else are empty strings. */
export function valuesOf(section: Section, record: Partial<Values> | undefined): Values {
  return Object.fromEntries(
    Object.entries(section.fields).map(([name, field]) => [name, record?.[name] || (field.default ?? '')]),
  );
}

/** An optional field that has its default is stored as empty, so that it changes with the default. */
function valuesToSend(section: Section, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = section.fields[name];
      return [name, field && !field.required && value === field.default ? '' : value];
    }),
  );
}

const isSame = (a: Values, b: Values) => Object.keys(a).every((name) => a[name] === b[name]);

const changesOf = (stored: Values, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== stored[name]));

const acceptMine = (section: Section, wanted: Values) =>
  acceptOwn<StoredRecord>((current) => isSame(valuesOf(section, current), wanted));

const withoutReload = (submit: () => void) => (event: FormEvent) => {
  event.preventDefault();
  submit();
};

/** Unsaved values are kept as a draft, a refusal leaves them as they are, and another admin's change is shown instead of overwritten. */
export function useRecordForm({ section, record, draftName, fixedValues, onSaved }: RecordFormOptions) {
  const fieldErrors = useSectionErrors(section);
  const refreshSite = useRefreshSite();
  const state = useRecordState(section, record, draftName);
  const { base, values, setValues } = state;
  const conflict = useConflict(state, (chosen, version) => save(chosen, version));
  const keyFor = useIdempotencyKeys();
  const setSavePending = useSaveAfterSignIn(() => save(state.newestValues.current));
  const uploads = useUploads(() => save(values));
  const isShown = useIsShown();

  const { save: send, saving } = useSave(async (wanted: Values, ifVersion: number | undefined) => {
    const body = { ...valuesToSend(section, wanted), ...fixedValues };
    const answer = await (base
      ? updateRecord(section, { _id: base._id, version: ifVersion }, body).then(acceptMine(section, wanted))
      : createRecord(section, withoutEmpty(body), keyFor(wanted)));
    if (!answer.ok) return handleRefusal(answer.problem);
    conflict.show(undefined);
    keyFor.renew();
    state.applySaved(answer.value, wanted);
    refreshSite();
    if (isShown.current) onSaved?.(answer.value);
    return () => showToast(section.toasts[base ? 'updated' : 'created']);
  });

  function handleRefusal(problem: Problem<StoredRecord>): Problem {
    const { status, current } = problem;
    // Including what was typed since the values were sent.
    const mine = state.newestValues.current;
    if (status === 401) setSavePending(true);
    const isOutdated = status === 412 && current !== undefined;
    const before = valuesOf(section, state.newestBase.current);
    conflict.show(isOutdated ? { current, mine, before } : undefined);
    if (!isOutdated) fieldErrors.showRefusal(problem, (name, message) => withLabel(section, name, message));
    return problem;
  }

  async function save(wanted: Values, ifVersion = state.version): Promise<void> {
    setValues(wanted);
    setSavePending(false);
    if (fieldErrors.validate(wanted)) await send(wanted, ifVersion);
    else conflict.show(undefined);
  }

  return {
    ...{ values, saving },
    errors: fieldErrors.errors,
    problem: fieldErrors.problem,
    unsaved: state.unsaved,
    offeredDraft: state.draft,
    uploads,
    /** The record as it was last read or saved here; undefined for a new record. */
    base,
    change(name: string, value: string): void {
      setValues({ ...state.newestValues.current, [name]: value });
      fieldErrors.checkAgain(name, value);
    },
    save,
    formProps: {
      ref: fieldErrors.form,
      noValidate: true,
      onSubmit: withoutReload(uploads.saveWhenDone),
    },
    conflict: conflict.choice,
  };
}

function useRecordState(section: Section, record: StoredRecord | undefined, draftName = 'new') {
  const { id: accountId } = useAccount();
  const draftKeyOf = (id: string) => draftKey(accountId, section.name, id);
  const key = draftKeyOf(record?._id ?? draftName);
  const [base, setBase] = useState(record);
  /** The version that the values are based on. A restored draft brings its own, so that newer changes are not overwritten. */
  const [version, setVersion] = useState(record?.version);
  const stored = useMemo(() => valuesOf(section, base), [section, base]);
  const [values, setShownValues] = useState(stored);
  /** The values at this moment. After an `await`, `values` are those of the render in which the function was called. */
  const newestValues = useRef(values);
  const newestBase = useRef(record);
  const [keptDraft, setKeptDraft] = useState<Draft | undefined>(() => {
    const kept = readDraft(key, new Date());
    return kept && !isSame(stored, { ...stored, ...kept.values }) ? kept : undefined;
  });
  const unsaved = !isSame(stored, values);

  useEffect(() => {
    // An offered draft stays until the person restores or discards it, or saves.
    if (keptDraft) return;
    // Only the changed values, so that restoring the draft does not undo what others have changed in other fields.
    if (unsaved) keepDraft(key, { values: changesOf(stored, values), version: version ?? null }, new Date());
    else dropDraft(key);
  }, [key, stored, values, unsaved, version, keptDraft]);

  function setValues(next: Values): void {
    newestValues.current = next;
    setShownValues(next);
  }
  function setStored(current: StoredRecord): void {
    newestBase.current = current;
    setBase(current);
    setVersion(current.version);
  }
  function discardDraft(): void {
    dropDraft(key);
    setKeptDraft(undefined);
  }
  /** Keeps what was typed while the draft was offered. */
  function restoreDraft({ values: kept, version: from }: Draft): void {
    setValues({ ...stored, ...kept, ...changesOf(stored, newestValues.current) });
    if (from !== null) setVersion(from);
    setKeptDraft(undefined);
  }

  return {
    base,
    version,
    values,
    newestValues,
    newestBase,
    setValues,
    unsaved,
    setStored,
    /**
     * A form that edits continues with the saved record and what was typed after `sent` was sent. A form that adds is cleared for the next record.
     * What was typed after `sent` becomes a draft of the record, which that record's own form offers.
     */
    applySaved(saved: StoredRecord, sent: Values): void {
      const typedSince = changesOf(sent, newestValues.current);
      discardDraft();
      if (base) setStored(saved);
      // A form that edits keeps the draft itself, unless it is gone.
      if (Object.keys(typedSince).length > 0)
        keepDraft(draftKeyOf(saved._id), { values: typedSince, version: saved.version }, new Date());
      setValues(base ? { ...valuesOf(section, saved), ...typedSince } : valuesOf(section, undefined));
    },
    draft: keptDraft && { ...keptDraft, restore: () => restoreDraft(keptDraft), discard: discardDraft },
  };
}

/** Resumes a save that failed because the session had ended, once the person has signed in again. */
function useSaveAfterSignIn(save: () => Promise<void>) {
  const session = useSession();
  const [isPending, setPending] = useState(false);
  // A 401 alone does not end the session: the site may be unable to renew it right now.
  const hasEnded = useRef(false);
  const resume = useEffectEvent(() => void save());
  useEffect(() => {
    const isSignedIn = session.status === 'signed-in';
    if (isPending && isSignedIn && hasEnded.current) resume();
    hasEnded.current = isPending && !isSignedIn;
  }, [isPending, session]);
  return setPending;
}

function useSectionErrors(section: Section) {
  return useFieldErrors(Object.keys(section.fields), (name, value) => {
    const field = section.fields[name];
    const fault = field && fieldFault(field, value);
    return fault && withLabel(section, name, fault);
  });
}

const withoutEmpty = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** A form that is submitted during uploads is saved when they have finished. */
function useUploads(save: () => Promise<void>) {
  const [sending, setSending] = useState<readonly string[]>([]);
  const [isSaveWaiting, setSaveWaiting] = useState(false);
  const underWay = sending.length > 0;
  const saveNow = useEffectEvent(() => void save().finally(() => setSaveWaiting(false)));
  useEffect(() => {
    if (isSaveWaiting && !underWay) saveNow();
  }, [isSaveWaiting, underWay]);
  return {
    underWay,
    isSaveWaiting: isSaveWaiting && underWay,
    saveWhenDone: () => (underWay ? setSaveWaiting(true) : void save()),
    update(name: string, state: UploadState) {
      setSending((before) => [
        ...before.filter((other) => other !== name),
        ...(state === 'sending' ? [name] : []),
      ]);
      // If an upload fails, nothing is saved, and the person decides what to do.
      if (state === 'failed') setSaveWaiting(false);
    },
  };
}

export type RecordForm = ReturnType<typeof useRecordForm>;

/** A message is either a whole sentence or continues the field's label. */
function withLabel(section: Section, name: string, message: string): string {
  return /^\p{Lu}/u.test(message) ? message : `${section.fields[name]?.label ?? name} ${message}`;
}
