import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { Deliverable, Project } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { type Answer, callApi, type Problem } from '../../lib/api.js';
import { useIdempotencyKeys } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { Callout } from '../../workspace/Callout.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { focusContent } from '../../workspace/focus-content.js';
import { DeliverableContent } from '../../workspace/projects/DeliverableCard.js';
import { useTextDraft } from '../../workspace/projects/text-draft.js';
import { type ChangeResult, useRefetch, useSave } from '../../workspace/query.js';
import { submitOnCtrlEnter } from '../../workspace/submit-on-ctrl-enter.js';
import { useMarkUnsaved } from '../../workspace/unsaved.js';

interface ReviewProps {
  project: Project;
  deliverable: Deliverable;
}

/** `isCurrent`: the delivery is as new as the project, so that the customer accepts what they see. */
export function Review({ project, deliverable, isCurrent }: ReviewProps & { isCurrent: boolean }) {
  const [decision, setDecision] = useState<'accept' | 'change'>();
  const askButton = useRef<HTMLButtonElement>(null);
  return (
    <Callout
      title={`${project.title} is ready to review`}
      actions={
        decision !== 'change' && (
          <>
            <button
              className="button"
              type="button"
              aria-disabled={!isCurrent}
              onClick={() => isCurrent && setDecision('accept')}
            >
              Accept
            </button>
            <button
              className="button button--quiet"
              type="button"
              ref={askButton}
              onClick={() => setDecision('change')}
            >
              Ask for changes
            </button>
          </>
        )
      }
    >
      <DeliverableContent deliverable={deliverable} />
      {decision === 'change' && (
        <ChangeRequestForm
          project={project}
          deliverable={deliverable}
          close={() => {
            setDecision(undefined);
            requestAnimationFrame(() => askButton.current?.focus());
          }}
        />
      )}
      {decision === 'accept' && <AcceptDialog project={project} close={() => setDecision(undefined)} />}
    </Callout>
  );
}

function AcceptDialog({ project, close }: { project: Project; close(): void }) {
  const { _id: id } = project;
  // The customer accepts what they saw, not what is delivered while the dialog is open.
  const [ifVersion] = useState(project.version);
  const keyFor = useIdempotencyKeys();
  const explainRefusal = useExplainRefusal();
  return (
    <ConfirmDialog
      title="Accept this work?"
      actionLabel="Accept"
      cancelLabel="Not yet"
      close={close}
      confirm={async () => {
        const answer = await callApi('POST /project/:id/acceptance', {
          params: { id },
          ifVersion,
          idempotencyKey: keyFor({ id, ifVersion }),
        });
        if (!answer.ok) return explainRefusal(answer.problem);
        return () => {
          showToast('Accepted. Thank you!');
          focusContent();
        };
      }}
    >
      <p>
        This finishes the project. With a monthly plan, it continues when the next month is paid. You can
        still write messages and download its files.
      </p>
    </ConfirmDialog>
  );
}

/** If the project has changed meanwhile, the returned function rewords the refusal and refetches all data. */
function useExplainRefusal(): (problem: Problem) => Problem {
  const refetch = useRefetch();
  return (problem) => {
    if (problem.code !== 'INVALID_TRANSITION' && problem.status !== 412) return problem;
    void refetch();
    return {
      ...problem,
      sentence: 'This project has changed in the meantime. Look at it again before you decide.',
    };
  };
}

function ChangeRequestForm({ project, deliverable, close }: ReviewProps & { close(): void }) {
  const { _id: id, version: ifVersion } = project;
  const fieldId = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const draft = useTextDraft('changes', deliverable._id);
  useMarkUnsaved(!draft.isEmpty);
  const keyFor = useIdempotencyKeys();
  const explainRefusal = useExplainRefusal();
  const [missing, setMissing] = useState(false);
  useEffect(() => area.current?.focus(), []);

  const { save, saving, problem } = useSave(async (): Promise<ChangeResult> => {
    const body = { reason: draft.text.trim() };
    const answer: Answer<unknown> = await callApi('POST /project/:id/change-request', {
      params: { id },
      body,
      ifVersion,
      idempotencyKey: keyFor({ id, ifVersion, body }),
    });
    if (!answer.ok) return explainRefusal(answer.problem);
    draft.clear();
    return () => {
      showToast('Thank you. We’ll get to work on it.');
      focusContent();
    };
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const isMissing = draft.text.trim() === '';
    setMissing(isMissing);
    if (isMissing) area.current?.focus();
    else void save();
  }

  return (
    <form className="form review-form" method="post" noValidate onSubmit={submit}>
      <div className="field">
        <label htmlFor={fieldId}>What should we change?</label>
        <textarea
          className="field__input"
          id={fieldId}
          ref={area}
          rows={4}
          dir="auto"
          maxLength={10_000}
          value={draft.text}
          aria-invalid={missing ? true : undefined}
          aria-describedby={missing ? `${fieldId}-error` : undefined}
          onChange={({ target }) => {
            setMissing(false);
            draft.change({ text: target.value });
          }}
          onKeyDown={submitOnCtrlEnter}
        />
        {missing && (
          <p className="field__error" id={`${fieldId}-error`}>
            Tell us what to change.
          </p>
        )}
      </div>
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button button--quiet" type="button" onClick={close}>
          Cancel
        </button>
        <button className="button" type="submit" aria-disabled={saving}>
          {saving ? 'One moment' : 'Ask for changes'}
        </button>
      </p>
    </form>
  );
}
