import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Campaign } from '#libs/contracts';
import { FormProblem } from '../../../components/FormProblem.js';
import { callApi } from '../../../lib/api.js';
import { newIdempotencyKey } from '../../../lib/form.js';
import { showToast } from '../../../lib/toasts.js';
import { ConfirmDialog } from '../../../workspace/ConfirmDialog.js';
import { focusContentIfFocusIsLost } from '../../../workspace/focus-content.js';
import { Figure, Figures } from '../../../workspace/Figures.js';
import { formatNumber } from '../../../workspace/formats.js';
import { type ChangeResult, useSave } from '../../../workspace/query.js';
import { Status } from '../../../workspace/Status.js';
import { When } from '../../../workspace/When.js';
import { useRenderPreview } from './campaign-preview.js';
import { MailPreview } from './MailPreview.js';
import { people, stateWords } from './words.js';

interface CampaignReportProps {
  campaign: Campaign;
}

/** For a campaign that is not a draft. */
export function CampaignReport({ campaign }: CampaignReportProps) {
  const { state, counts, subject, preheader, body } = campaign;
  const done = counts.recipients - counts.waiting;
  return (
    <>
      <section className="panel" aria-labelledby="report-heading">
        <h2 id="report-heading">Report: {subject}</h2>
        <p className="report__state" role="status">
          <Status tone={stateWords[state].tone}>{stateWords[state].word}</Status>{' '}
          <StateTime campaign={campaign} />
        </p>
        {(state === 'sending' || state === 'paused') && (
          <div className="report__progress">
            <progress
              aria-label="Done so far"
              max={Math.max(1, counts.recipients)}
              value={counts.recipients > 0 ? done : undefined}
            />
            <span>
              {formatNumber(done)} of {people(counts.recipients)}
            </span>
          </div>
        )}
        {state !== 'scheduled' && (
          <Figures>
            <Figure label="Recipients" value={formatNumber(counts.recipients)} />
            <Figure
              label="Sent"
              value={formatNumber(counts.sent)}
              note={share(counts.sent, counts.recipients)}
            />
            <Figure label="Waiting" value={formatNumber(counts.waiting)} />
            <Figure
              label="Failed"
              value={formatNumber(counts.failed)}
              note="Refused right away, or couldn’t be sent"
            />
            <Figure
              label="Bounced"
              value={formatNumber(counts.bounced)}
              note={['Sent, but returned later', share(counts.bounced, counts.sent)]
                .filter(Boolean)
                .join(': ')}
            />
            <Figure
              label="Unsubscribed"
              value={formatNumber(counts.unsubscribed)}
              note={share(counts.unsubscribed, counts.sent)}
            />
            {counts.leftOut > 0 && (
              <Figure
                label="Skipped"
                value={formatNumber(counts.leftOut)}
                note="Unsubscribed, blocked or removed before sending, or cancelled"
              />
            )}
          </Figures>
        )}
        {campaign.startedAt !== null && (
          <p>
            <Link to={`/sent-mail?campaign=${campaign._id}`}>See the e-mails of this campaign</Link> and
            whether they arrived.
          </p>
        )}
        <CampaignActions campaign={campaign} />
      </section>
      <MailPreview render={useRenderPreview({ subject, preheader, body })} />
    </>
  );
}

function share(part: number, whole: number): string | undefined {
  return whole > 0 ? `${((part / whole) * 100).toFixed(1)}%` : undefined;
}

function StateTime({ campaign: { state, scheduledAt, startedAt, finishedAt } }: { campaign: Campaign }) {
  if (state === 'scheduled' && scheduledAt)
    return (
      <>
        Starts on <When at={scheduledAt} time />
      </>
    );
  if (finishedAt)
    return (
      <>
        on <When at={finishedAt} time />
      </>
    );
  return startedAt ? (
    <>
      {state === 'paused' ? 'Started on' : 'since'} <When at={startedAt} time />
    </>
  ) : null;
}

type Verb = 'pause' | 'resume' | 'cancel';

async function changeState(id: string, verb: Verb, toast: string, ifVersion?: number): Promise<ChangeResult> {
  const answer = await callApi(`POST /campaign/:id/${verb}`, {
    params: { id },
    idempotencyKey: newIdempotencyKey(),
    ...(ifVersion !== undefined && { ifVersion }),
  });
  if (!answer.ok) return answer.problem;
  return () => showToast(toast);
}

function CampaignActions({ campaign }: CampaignReportProps) {
  const { _id, state, counts, version } = campaign;
  const [cancelling, setCancelling] = useState(false);
  const { save, saving, problem } = useSave(changeState);
  /** In the new state, the pressed button is gone. */
  const press = (verb: Verb, toast: string, ifVersion?: number) =>
    void save(_id, verb, toast, ifVersion).then(focusContentIfFocusIsLost);

  if (state === 'sent' || state === 'cancelled') return null;
  return (
    <>
      <FormProblem problem={problem} />
      <div className="buttons">
        {state === 'sending' && (
          <button
            className="button"
            type="button"
            aria-disabled={saving}
            onClick={() => press('pause', 'Campaign paused')}
          >
            Pause
          </button>
        )}
        {state === 'paused' && (
          <button
            className="button"
            type="button"
            aria-disabled={saving}
            onClick={() => press('resume', 'Campaign resumed')}
          >
            Resume
          </button>
        )}
        {state === 'scheduled' ? (
          <button
            className="button button--quiet"
            type="button"
            aria-disabled={saving}
            // The version makes the call fail if sending has begun meanwhile. Without it, the call would end the campaign for good.
            onClick={() => press('cancel', 'Campaign moved back to draft', version)}
          >
            Move back to draft
          </button>
        ) : (
          <button className="button button--quiet" type="button" onClick={() => setCancelling(true)}>
            Cancel remaining
          </button>
        )}
      </div>
      {cancelling && (
        <ConfirmDialog
          title="Cancel remaining e-mails?"
          actionLabel="Cancel remaining"
          cancelLabel={state === 'paused' ? 'Keep paused' : 'Keep sending'}
          close={() => setCancelling(false)}
          confirm={() => changeState(_id, 'cancel', 'Campaign cancelled')}
        >
          <p>
            {people(counts.waiting)} won’t get the e-mail. You can’t undo this.
            {state === 'sending' && ' To stop for now, pause the campaign instead.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
