import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router-dom';
import { type Section, sections } from '#libs/content-model';
import { FormProblem } from '../../../components/FormProblem.js';
import { LeaveDialog } from '../../../workspace/LeaveDialog.js';
import { useLeaveGuard } from '../../../workspace/leave-guard.js';
import { DraftOffer } from '../../../workspace/DraftOffer.js';
import { RecordConflict } from './RecordConflict.js';
import { FieldInput, type RenderControl } from './FieldInput.js';
import { LogoWarnings } from './LogoWarnings.js';
import type { RecordForm } from './record-form.js';

interface RecordEditorProps {
  section: Section;
  form: RecordForm;
  /** The button's label, and the form's accessible name. */
  actionLabel: string;
  /** Replacements for the default controls of some fields; the keys are the names of the fields. */
  controls?: Readonly<Record<string, RenderControl>>;
  /** Next to the button. */
  children?: ReactNode;
}

/** Offers a kept draft, asks what to keep in a conflict, and asks before somebody leaves with unsaved changes. */
export function RecordEditor({ section, form, actionLabel, controls, children }: RecordEditorProps) {
  useFocusOnField(section);
  const leaving = useLeaveGuard(form.unsaved || form.uploads.underWay);
  return (
    <>
      {form.offeredDraft && <DraftOffer draft={form.offeredDraft} />}
      {form.conflict && <RecordConflict section={section} conflict={form.conflict} saving={form.saving} />}
      <form
        className="form record-form"
        method="post"
        aria-label={actionLabel}
        hidden={Boolean(form.conflict)}
        {...form.formProps}
      >
        {Object.entries(section.fields).map(([name, field]) => (
          <FieldInput
            key={name}
            name={name}
            field={field}
            value={form.values[name] ?? ''}
            error={form.errors[name] || undefined}
            change={form.change}
            onUploadStateChange={form.uploads.update}
            renderControl={controls?.[name]}
          />
        ))}
        {section.name === sections.logo.name && <LogoWarnings {...form.values} />}
        <FormProblem problem={form.problem} />
        <div className="buttons">
          <button className="button" type="submit" aria-disabled={form.saving || form.uploads.isSaveWaiting}>
            {form.saving ? 'Saving' : actionLabel}
          </button>
          {children}
          <span role="status">
            {form.uploads.isSaveWaiting && 'Your changes will be saved when the upload finishes'}
          </span>
          {form.unsaved && <span className="record-form__unsaved">Not saved yet</span>}
        </div>
      </form>
      <LeaveDialog leaving={leaving} keepsDraft={!form.offeredDraft} />
    </>
  );
}

/** A link can lead to a field: the fragment of the address names it. */
function useFocusOnField({ fields }: Section): void {
  const { hash } = useLocation();
  const focus = useEffectEvent((name: string) => {
    if (Object.hasOwn(fields, name)) document.getElementById(name)?.focus();
  });
  useEffect(() => focus(hash.slice(1)), [hash]);
}
