import { type FormEvent, useMemo, useRef, useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { TextAreaField } from '../../../components/Field.js';
import { FormProblem } from '../../../components/FormProblem.js';
import { callApi, type Problem } from '../../../lib/api.js';
import { useIdempotencyKeys } from '../../../lib/form.js';
import { CloseButton, Dialog } from '../../../workspace/Dialog.js';
import { useTextDraft } from '../../../workspace/projects/text-draft.js';
import { sendFileTo } from '../../../workspace/projects/upload.js';
import { useUploads } from '../../../workspace/projects/use-uploads.js';
import { DropArea, PickFiles, UploadList } from '../../../workspace/projects/UploadControls.js';
import { useSave } from '../../../workspace/query.js';
import { changeResultOf } from '../change-result.js';
import { projectNumber } from '../words.js';
import { findWrongLink, linksIn } from './links.js';

interface HandOverDialogProps {
  project: StaffProject;
  close(): void;
}

/**
 * Hands over a text, and any files and links. The browser keeps the texts and the uploaded files as drafts. Render the dialog only while it is open.
 */
export function HandOverDialog({ project, close }: HandOverDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useHandOverForm(project, () => dialog.current?.close());
  const { draft, linksDraft, uploads, errors } = form;
  return (
    <Dialog
      ref={dialog}
      className="hand-over"
      title={`Hand over: ${project.title} ${projectNumber(project)}`}
      sending={form.saving}
      close={close}
    >
      <form className="form" method="post" noValidate onSubmit={form.submit}>
        <p>
          {project.customerName} is asked to accept the work or to ask for changes, in the project and in an
          e-mail.
        </p>
        <TextAreaField
          name="hand-over-text"
          label="What you hand over"
          hint="One or two sentences, for example: The audit report, with the ten most important steps on page 2."
          rows={3}
          maxLength={2_000}
          required
          value={draft.text}
          // Text typed while the work is being handed over would be lost when the drafts are emptied.
          readOnly={form.saving}
          error={errors.text}
          onChange={({ target }) => draft.change({ text: target.value })}
        />
        <DropArea className="hand-over__files" uploads={uploads}>
          <UploadList uploads={uploads} label="Files to hand over" />
          <PickFiles uploads={uploads} />
        </DropArea>
        <TextAreaField
          name="hand-over-links"
          label="Links (optional)"
          hint="One on each line, with https://."
          rows={2}
          dir="ltr"
          spellCheck={false}
          value={linksDraft.text}
          readOnly={form.saving}
          error={errors.links}
          onChange={({ target }) => linksDraft.change({ text: target.value })}
        />
        <FormProblem problem={form.problem} />
        <p className="buttons">
          <CloseButton sending={form.saving}>Cancel</CloseButton>
          <button className="button" type="submit" aria-disabled={form.saving || uploads.underWay}>
            {uploads.underWay ? 'Waiting for files' : form.saving ? 'One moment' : 'Hand over'}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

type FieldErrors = Partial<Record<'text' | 'links', string | undefined>>;

const failedUpload: Problem = {
  status: 0,
  sentence: 'A file couldn’t be uploaded. Try it again or remove it, then hand over.',
  fields: [],
};

function refusalOf(problem: Problem): Problem {
  const [refused] = problem.fields;
  if (!refused) return problem;
  if (refused.field.startsWith('files'))
    return {
      ...problem,
      sentence: 'A file in this draft can no longer be sent. Remove it here and upload it again.',
    };
  const label = refused.field.startsWith('links') ? 'Links' : 'What you hand over';
  return { ...problem, sentence: `${label}: ${refused.message}.` };
}

function useHandOverForm(project: StaffProject, onHandedOver: () => void) {
  const { _id: id } = project;
  const draft = useTextDraft('project', id, 'hand-over');
  const linksDraft = useTextDraft('project', id, 'hand-over-links');
  const sendFile = useMemo(() => sendFileTo({ projectId: id, side: 'staff' }), [id]);
  const uploads = useUploads({
    send: sendFile,
    kept: draft.files,
    onChanged: (files) => draft.change({ files }),
  });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [fault, setFault] = useState<Problem>();
  const keyFor = useIdempotencyKeys();
  const lastRequest = useRef<{ json: string; version: number }>(undefined);
  const { save, saving, problem } = useSave(async () => {
    const body = {
      text: draft.text.trim(),
      files: uploads.files.map(({ _id }) => _id),
      links: linksIn(linksDraft.text),
    };
    const json = JSON.stringify(body);
    // If the answer was lost, the work has perhaps been handed over, which changes the version. A repeated request sends the earlier version and the
    // same idempotency key, so that the work is handed over only once.
    const version = lastRequest.current?.json === json ? lastRequest.current.version : project.version;
    lastRequest.current = { json, version };
    const result = await changeResultOf(
      callApi('POST /staff-project/:id/deliverables', {
        params: { id },
        body,
        ifVersion: version,
        idempotencyKey: keyFor({ ...body, version }),
      }),
      () => `Handed over to ${project.customerName}`,
    );
    const isHandedOver = typeof result !== 'object';
    // After a lost answer (status 0) or a failure of the site, the work may or may not have been handed over.
    const isOutcomeKnown = isHandedOver || (result.status > 0 && result.status < 500);
    if (isOutcomeKnown) lastRequest.current = undefined;
    if (isHandedOver) {
      uploads.clear();
      draft.clear();
      linksDraft.clear();
    }
    return result;
  });

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (uploads.underWay) return;
    const wrong = findWrongLink(linksDraft.text);
    const found: FieldErrors = {
      text: draft.text.trim() === '' ? 'Describe what you hand over in a sentence' : undefined,
      links: wrong && `‘${wrong}’ isn’t an address like https://example.com`,
    };
    setErrors(found);
    setFault(undefined);
    const invalidField = found.text ? 'hand-over-text' : found.links && 'hand-over-links';
    if (invalidField) return document.getElementById(invalidField)?.focus();
    if (uploads.items.some(({ state }) => state !== 'done')) return setFault(failedUpload);
    if (await save()) onHandedOver();
  }

  return {
    ...{ draft, linksDraft, uploads, errors, saving },
    problem: fault ?? (problem && refusalOf(problem)),
    submit: (event: FormEvent) => void submit(event),
  };
}
