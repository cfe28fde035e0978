import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ProjectTemplate } from '#libs/contracts';
import { callApi, type Problem } from '../../../lib/api.js';
import { showToast } from '../../../lib/toasts.js';
import { useAccount } from '../../../workspace/current-screen.js';
import { draftKey, dropDraft, keepDraft, readDraft } from '../../../workspace/drafts.js';
import { useSave } from '../../../workspace/query.js';
import { acceptOwn, useConflict } from '../../../workspace/use-conflict.js';
import {
  changesOf,
  elementIdOf,
  errorsOf,
  isSameTemplate,
  templateOf,
  type TemplateValues,
  valuesOf,
} from './template-values.js';

/**
 * Nothing typed is lost. Unsaved values are kept as a draft, a refusal leaves them as they are, and another admin's change is shown instead of
 * overwritten.
 */
export function useTemplateForm(template: ProjectTemplate) {
  const state = useTemplateState(template);
  const { base, values, setValues } = state;
  const fieldErrors = useTemplateErrors(values);
  const conflict = useConflict(state, (chosen, version) => save(chosen, version));

  const { save: send, saving } = useSave(async (wanted: TemplateValues, ifVersion: number) => {
    const answer = await callApi('PUT /project-template/:id', {
      params: { id: base._id },
      body: templateOf(wanted),
      ifVersion,
    }).then(acceptOwn((current) => isSameTemplate(valuesOf(current), wanted)));
    if (answer.ok) {
      conflict.show(undefined);
      state.applySaved(answer.value, wanted);
      return () => showToast('Template saved');
    }
    const { status, current } = answer.problem;
    const isOutdated = status === 412 && current !== undefined;
    // Including what was typed since the values were sent.
    const mine = state.newestValues.current;
    const before = valuesOf(state.newestBase.current);
    conflict.show(isOutdated ? { current, mine, before } : undefined);
    if (!isOutdated) fieldErrors.showRefusal(answer.problem, wanted);
    return answer.problem;
  });

  async function save(wanted: TemplateValues, ifVersion = state.version): Promise<void> {
    setValues(wanted);
    if (fieldErrors.validate(wanted)) await send(wanted, ifVersion);
    else conflict.show(undefined);
  }

  return {
    base,
    values,
    errors: fieldErrors.errors,
    problem: fieldErrors.problem,
    openQuestions: fieldErrors.openQuestions,
    setQuestionOpen: fieldErrors.setQuestionOpen,
    saving,
    unsaved: state.unsaved,
    offeredDraft: state.draft,
    change(part: Partial<TemplateValues>): void {
      const changed = { ...state.newestValues.current, ...part };
      setValues(changed);
      fieldErrors.recheck(changed);
    },
    formProps: {
      ref: fieldErrors.form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        void save(values);
      },
    },
    conflict: conflict.choice,
  };
}

function useTemplateErrors({ questions }: TemplateValues) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<Problem>();
  const [openQuestions, setOpenQuestions] = useState<readonly string[]>([]);
  const focusField = useFocusOnField(form);

  /** Also opens the questions that have errors. */
  function show(found: Record<string, string>): void {
    setErrors(found);
    const names = Object.keys(found);
    const concerned = questions.filter(({ id }) => names.some((name) => name.startsWith(`question-${id}-`)));
    setOpenQuestions((before) => [...new Set([...before, ...concerned.map(({ id }) => id)])]);
    focusField(names[0]);
  }

  return {
    form,
    errors,
    problem,
    openQuestions,
    setQuestionOpen: (id: string, isOpen: boolean) =>
      setOpenQuestions((before) => [...before.filter((other) => other !== id), ...(isOpen ? [id] : [])]),
    validate(values: TemplateValues): boolean {
      const found = errorsOf(values);
      setProblem(undefined);
      show(found);
      return Object.keys(found).length === 0;
    },
    /** A corrected field loses its message, and so does every field that only the server refused. A new mistake is shown when the form is sent. */
    recheck(values: TemplateValues): void {
      const still = errorsOf(values);
      setErrors((known) => Object.fromEntries(Object.entries(known).filter(([name]) => still[name])));
    },
    showRefusal(refusal: Problem, sent: TemplateValues): void {
      const fields = refusal.fields.map((fault) => ({ ...fault, field: elementIdOf(fault.field, sent) }));
      setProblem({ ...refusal, fields, shownAtFields: true });
      show(Object.fromEntries(fields.map(({ field, message }) => [field, message])));
    },
  };
}

export type TemplateForm = ReturnType<typeof useTemplateForm>;

/** Focuses a field after the next render: its question may have to open first. */
function useFocusOnField(form: RefObject<HTMLFormElement | null>) {
  const [wanted, setWanted] = useState<{ name: string }>();
  useEffect(() => {
    const field = wanted && form.current?.elements.namedItem(wanted.name);
    if (field instanceof HTMLElement) field.focus();
  }, [form, wanted]);
  return (name: string | undefined) => setWanted(name === undefined ? undefined : { name });
}

function useTemplateState(template: ProjectTemplate) {
  const key = draftKey(useAccount().id, 'project-template', template._id);
  /** The stored template as first read, and then as saved here or as shown in a conflict. A refetch does not change it. */
  const [base, setBase] = useState(template);
  /** The version that the values are based on. A restored draft brings its own, so that newer changes are not overwritten. */
  const [version, setVersion] = useState(template.version);
  const [values, setShownValues] = useState(() => valuesOf(template));
  /** The values at this moment. After an `await`, `values` can be out of date. */
  const newestValues = useRef(values);
  const newestBase = useRef(template);
  const [keptDraft, setKeptDraft] = useState(() => {
    const kept = readDraft(key, new Date());
    const changes = kept && parseChanges(kept.values.template);
    const draftValues = changes && { ...valuesOf(template), ...changes };
    return draftValues && !isSameTemplate(draftValues, valuesOf(template))
      ? { ...kept, draftValues }
      : undefined;
  });
  const unsaved = !isSameTemplate(values, valuesOf(base));

  useEffect(() => {
    // An offered draft stays until the person restores or discards it, or saves.
    if (keptDraft) return;
    // Only the changed parts, so that restoring the draft does not undo what others have changed in the other parts.
    const changes = JSON.stringify(changesOf(valuesOf(base), values));
    if (unsaved) keepDraft(key, { values: { template: changes }, version }, new Date());
    else dropDraft(key);
  }, [key, base, values, unsaved, version, keptDraft]);

  function setValues(next: TemplateValues): void {
    newestValues.current = next;
    setShownValues(next);
  }
  function setStored(current: ProjectTemplate): void {
    newestBase.current = current;
    setBase(current);
    setVersion(current.version);
  }
  function discardDraft(): void {
    dropDraft(key);
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
    /** The form continues from what was saved, but keeps the parts that were changed after the values in `sent` had been sent. */
    applySaved(saved: ProjectTemplate, sent: TemplateValues): void {
      discardDraft();
      setStored(saved);
      setValues({ ...valuesOf(saved), ...changesOf(sent, newestValues.current) });
    },
    draft: keptDraft && {
      savedAt: keptDraft.savedAt,
      /** Keeps what was changed while the draft was offered. */
      restore() {
        setValues({ ...keptDraft.draftValues, ...changesOf(valuesOf(base), newestValues.current) });
        if (keptDraft.version !== null) setVersion(keptDraft.version);
        setKeptDraft(undefined);
      },
      discard: discardDraft,
    },
  };
}

/** Undefined if the stored text is not a draft. */
function parseChanges(text: string | undefined): Partial<TemplateValues> | undefined {
  try {
    const changes = JSON.parse(text ?? 'null') as Partial<TemplateValues> | null;
    const isOptionalList = (part: unknown) => part === undefined || Array.isArray(part);
    return changes && isOptionalList(changes.questions) && isOptionalList(changes.checklist)
      ? changes
      : undefined;
  } catch {
    return undefined;
  }
}
