import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Campaign } from '#libs/contracts';
import { FormProblem } from '../../../components/FormProblem.js';
import { callApi } from '../../../lib/api.js';
import { newIdempotencyKey } from '../../../lib/form.js';
import { showToast } from '../../../lib/toasts.js';
import { ConfirmDialog } from '../../../workspace/ConfirmDialog.js';
import { useAccount } from '../../../workspace/current-screen.js';
import { useSave } from '../../../workspace/query.js';
import { useIsShown } from '../../../workspace/use-is-shown.js';
import { useRecordForm } from '../content/record-form.js';
import { RecordEditor } from '../content/RecordEditor.js';
import { useRenderPreview } from './campaign-preview.js';
import { campaignSection, recordOf } from './campaign-section.js';
import { MailPreview } from './MailPreview.js';
import { MarkdownInput } from '../content/MarkdownInput.js';
import { SendDialog } from './SendDialog.js';

interface CampaignEditorProps {
  /** Left out for a new campaign. */
  campaign?: Campaign;
}

export function CampaignEditor({ campaign }: CampaignEditorProps) {
  const navigate = useNavigate();
  const form = useRecordForm({
    section: campaignSection,
    record: campaign && recordOf(campaign),
    onSaved: ({ _id }) => {
      if (!campaign) void navigate(`/campaign/${_id}`, { replace: true });
    },
  });
  const { subject = '', preheader = '', body = '' } = form.values;
  const render = useRenderPreview({ subject, preheader, body });
  return (
    <div className="editor editor--preview">
      <div className="panel">
        <RecordEditor
          section={campaignSection}
          form={form}
          actionLabel="Save draft"
          controls={{ body: (inputProps) => <MarkdownInput inputProps={inputProps} withPictures /> }}
        />
        {campaign && form.base && (
          <DraftActions
            campaign={{ ...campaign, subject: form.base.subject ?? '', version: form.base.version }}
            unsaved={form.unsaved}
          />
        )}
      </div>
      <MailPreview
        render={subject.trim() === '' || body.trim() === '' ? undefined : render}
        hint="Enter a subject and text to see a preview."
      />
    </div>
  );
}

interface DraftActionsProps {
  /** With the subject and version that the form last read or saved. */
  campaign: Campaign;
  unsaved: boolean;
}

function DraftActions({ campaign, unsaved }: DraftActionsProps) {
  const { email } = useAccount();
  const navigate = useNavigate();
  const isShown = useIsShown();
  const [asking, setAsking] = useState<'send' | 'delete'>();
  const close = () => setAsking(undefined);

  const {
    save: sendTest,
    saving: sendingTest,
    problem,
  } = useSave(async () => {
    const answer = await callApi('POST /campaign/:id/test', {
      params: { id: campaign._id },
      idempotencyKey: newIdempotencyKey(),
    });
    if (!answer.ok) return answer.problem;
    return () => showToast(`Test sent to ${answer.value.to}`);
  });

  return (
    <section className="sending" aria-labelledby="sending-heading">
      <h2 id="sending-heading">Send</h2>
      <p id="sending-note">
        {unsaved
          ? 'Save the draft first. Only saved changes are sent.'
          : `“Send test to me” sends the draft to ${email} only.`}
      </p>
      <FormProblem problem={problem} />
      <div className="buttons">
        <button
          className="button"
          type="button"
          aria-disabled={unsaved}
          aria-describedby={unsaved ? 'sending-note' : undefined}
          onClick={() => !unsaved && setAsking('send')}
        >
          Send or schedule
        </button>
        <button
          className="button button--quiet"
          type="button"
          aria-disabled={sendingTest || unsaved}
          aria-describedby="sending-note"
          onClick={() => void (unsaved || sendTest())}
        >
          Send test to me
        </button>
        <button className="button button--plain" type="button" onClick={() => setAsking('delete')}>
          Delete
        </button>
      </div>
      {asking === 'send' && <SendDialog campaign={campaign} close={close} />}
      {asking === 'delete' && (
        <ConfirmDialog
          title="Delete this campaign?"
          actionLabel="Delete campaign"
          close={close}
          confirm={async () => {
            const { _id: id, version: ifVersion } = campaign;
            const answer = await callApi('DELETE /campaign/:id', { params: { id }, ifVersion });
            if (!answer.ok && answer.problem.status !== 404) return answer.problem;
            if (isShown.current) await navigate('/campaigns');
            return () => showToast('Campaign deleted');
          }}
        >
          <p>You can’t undo this. The draft ‘{campaign.subject}’ will be permanently deleted.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
