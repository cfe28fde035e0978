import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ProjectTemplate } from '#libs/contracts';
import { callApi, type Problem } from '../../../lib/api.js';
import { showToast } from '../../../lib/toasts.js';
import { useAccount } from '../../../workspace/current-screen.js';
import { draftKey, dropDraft, keepDraft, readDraft } from '../../../workspace/drafts.js';
import { useSave } from '../../../workspace/query.js';
import {
  changesOf,
  elementIdOf,
  errorsOf,
  isSameTemplate,
  templateOf,
  type TemplateValues,
  valuesOf,
} from './template-values.js';

/** Another admin saved the template after it was read. */
interface Conflict {
  current: ProjectTemplate;
  /** The values typed here. */
  mine: TemplateValues;
  /** The stored values as they were read here, without what was typed or restored from a draft. */
  before: TemplateValues;
}

/**
 * The form of a template. Nothing typed is lost: unsaved values are kept as a draft, a refusal leaves them as they are, and another admin's change is
 * shown instead of overwritten.
 */
export function useTemplateForm(template: ProjectTemplate) {
  const state = useTemplateState(template);
  const { base, values, setValues } = state;
  const messages = useMessages(values);
  const conflict = useConflict(state, (chosen, version) => save(chosen, version));

  const { save: send, saving } = useSave(async (wanted: TemplateValues, ifVersion: number) => {
    const answer = await callApi('PUT /project-template/:id', {
      params: { id: base._id },
      body: templateOf(wanted),
      ifVersion,
    });
    if (answer.ok) {
      conflict.show(undefined);
      state.accept(answer.value, wanted);
      return () => showToast('Template saved');
    }
    const { status, current } = answer.problem;
    const isOutdated = status === 412 && current !== undefined;
    // Including what was typed since the values were sent.
    const mine = state.newest.current;
    conflict.show(isOutdated ? { current, mine, before: valuesOf(base) } : undefined);
    if (!isOutdated) messages.showRefusal(answer.problem, wanted);
    return answer.problem;
  });

  async function save(wanted: TemplateValues, ifVersion = state.version): Promise<void> {
    setValues(wanted);
    if (messages.validate(wanted)) await send(wanted, ifVersion);
    else conflict.show(undefined);
  }

  return {
    base,
    values,
    errors: messages.errors,
    problem: messages.problem,
    opened: messages.opened,
    setOpen: messages.setOpen,
    saving,
    unsaved: state.unsaved,
    draft: state.draft,
    change(part: Partial<TemplateValues>): void {
      const changed = { ...state.newest.current, ...part };
      setValues(changed);
      messages.recheck(changed);
    },
    form: {
      ref: messages.form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        void save(values);
      },
    },
    conflict: conflict.choice,
  };
}

/** Another admin's version and the values typed here, until the person has chosen between them. */
function useConflict(state: TemplateState, save: (chosen: TemplateValues, version: number) => Promise<void>) {
  const [conflict, show] = useState<Conflict>();
  return {
    show,
    choice: conflict && {
      ...conflict,
      /** Saves the chosen values over the other version. */
      resolve(chosen: TemplateValues) {
        state.setStored(conflict.current);
        return save(chosen, conflict.current.version);
      },
      /** Continues editing with the chosen values. */
      edit(chosen: TemplateValues) {
        state.setStored(conflict.current);
        state.setValues(chosen);
        show(undefined);
      },
    },
  };
}

/** The messages at the fields, and which questions are open. */
function useMessages({ questions }: TemplateValues) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<Problem>();
  const [opened, setOpened] = useState<readonly string[]>([]);
  const focusField = useFocusOnField(form);

  /** Shows the messages, opens the questions that they are about, and focuses the first field. */
  function show(found: Record<string, string>): void {
    setErrors(found);
    const names = Object.keys(found);
    const concerned = questions.filter(({ id }) => names.some((name) => name.startsWith(`question-${id}-`)));
    setOpened((before) => [...new Set([...before, ...concerned.map(({ id }) => id)])]);
    focusField(names[0]);
  }

  return {
    form,
    errors,
    problem,
    opened,
    setOpen: (id: string, isOpen: boolean) =>
      setOpened((before) => [...before.filter((other) => other !== id), ...(isOpen ? [id] : [])]),
    /** Checks all fields before they are sent. */
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
    /** Shows why the server refused the template. */
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

type TemplateState = ReturnType<typeof useTemplateState>;

/** The stored template, and the values typed into the form, which are kept as a draft until they are saved. */
function useTemplateState(template: ProjectTemplate) {
  const key = draftKey(useAccount().id, 'project-template', template._id);
  const [base, setBase] = useState(template);
  /** The version that the values are based on. A restored draft brings its own, so that newer changes are not overwritten. */
  const [version, setVersion] = useState(template.version);
  const [values, showValues] = useState(() => valuesOf(template));
  /** The values at this moment. Code that continues after an answer needs them, because its `values` are as old as the call. */
  const newest = useRef(values);
  const [keptDraft, setKeptDraft] = useState(() => {
    const kept = readDraft(key, new Date());
    const changes = kept && parseChanges(kept.values.template);
    const draft = changes && { ...valuesOf(template), ...changes };
    return draft && !isSameTemplate(draft, valuesOf(template)) ? { ...kept, draft } : undefined;
  });
  const unsaved = !isSameTemplate(values, valuesOf(base));

  useEffect(() => {
    // Only the changed parts, so that restoring the draft does not undo what others have changed in the other parts.
    const changes = JSON.stringify(changesOf(valuesOf(base), values));
    if (unsaved) keepDraft(key, { values: { template: changes }, version }, new Date());
    else if (!keptDraft) dropDraft(key);
  }, [key, base, values, unsaved, version, keptDraft]);

  function setValues(next: TemplateValues): void {
    newest.current = next;
    showValues(next);
  }
  function setStored(current: ProjectTemplate): void {
    setBase(current);
    setVersion(current.version);
  }
  function drop(): void {
    dropDraft(key);
    setKeptDraft(undefined);
  }

  return {
    base,
    version,
    values,
    newest,
    setValues,
    unsaved,
    setStored,
    /** The template was saved. The form continues from what was saved, with the parts that were changed since it was `sent`. */
    accept(saved: ProjectTemplate, sent: TemplateValues): void {
      drop();
      setStored(saved);
      setValues({ ...valuesOf(saved), ...changesOf(sent, newest.current) });
    },
    /** A draft from an earlier visit, which can be restored. */
    draft: keptDraft && {
      savedAt: keptDraft.savedAt,
      restore() {
        setValues(keptDraft.draft);
        if (keptDraft.version !== null) setVersion(keptDraft.version);
        setKeptDraft(undefined);
      },
      discard: drop,
    },
  };
}

/** The changed parts of a stored draft; undefined if the stored text is not a draft. */
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
