import '../campaigns/campaigns.css';
import './mail-texts.css';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { Link, useParams } from 'react-router-dom';
import { FormProblem } from '../../../components/FormProblem.js';
import type { MailWording } from '#libs/contracts';
import { sections } from '#libs/content-model';
import { callApi } from '../../../lib/api.js';
import { newIdempotencyKey } from '../../../lib/form.js';
import { showToast } from '../../../lib/toasts.js';
import { type StoredRecord, useRecords } from '../../../workspace/content-api.js';
import { Empty } from '../../../workspace/Empty.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useQuery, useSave } from '../../../workspace/query.js';
import { focusContentIfFocusIsLost } from '../../../workspace/focus-content.js';
import { AdminScreen } from '../AdminScreen.js';
import { MailPreview } from '../campaigns/MailPreview.js';
import { RecordEditor } from '../content/RecordEditor.js';
import { History } from '../content/History.js';
import { useRecordForm } from '../content/record-form.js';
import { type EditableMail, fixedValuesOf, isEditable, findRecord, sectionOf } from './mail-text-section.js';
import { Placeholders } from './Placeholders.js';

/** The address ends with the e-mail's template, such as `orderPaid`, or with the id of the record that has the edited text. */
export function Component() {
  const { id: wanted = '' } = useParams();
  const templates = useQuery('GET /mail-templates');
  const records = useRecords(sections.mailText);
  const name = records.data?.find(({ _id }) => _id === wanted)?.mail;
  const mail = templates.data?.filter(isEditable).find((one) => one.template === wanted || one.name === name);
  const occasion = mail?.sent;
  return (
    <AdminScreen title={mail?.name} lead={occasion && `${occasion}.`}>
      <Loaded query={templates}>
        {() => (
          <Loaded query={records}>
            {(stored) =>
              mail ? <MailText key={mail.template} mail={mail} records={stored} /> : <NoSuchMail />
            }
          </Loaded>
        )}
      </Loaded>
    </AdminScreen>
  );
}

function NoSuchMail() {
  return (
    <Empty
      title="No mail template found"
      action={
        <Link className="button" to="/setting/mailText">
          Mail templates
        </Link>
      }
    >
      The site has no e-mail with this name that you can edit.
    </Empty>
  );
}

interface MailTextProps {
  mail: EditableMail;
  records: readonly StoredRecord[];
}

/** The form is reset when its record is created or deleted, here or by a colleague. */
function MailText({ mail, records }: MailTextProps) {
  const record = findRecord(mail, records);
  return <MailTextEditor key={record?._id ?? 'new'} mail={mail} record={record} />;
}

function MailTextEditor({ mail, record }: { mail: EditableMail; record: StoredRecord | undefined }) {
  const { template, wording: defaults } = mail;
  const section = useMemo(() => sectionOf(mail), [mail]);
  const form = useRecordForm({ section, record, draftName: template, fixedValues: fixedValuesOf(mail) });
  const panel = useRef<HTMLDivElement>(null);
  // Saving for the first time gives the form another key, so that its button is replaced.
  useEffect(() => focusContentIfFocusIsLost, []);
  const { subject = '', text = '' } = form.values;
  const render = useCallback(
    (signal: AbortSignal) =>
      callApi('POST /mail-template-preview', { body: { template, subject, text }, signal }),
    [template, subject, text],
  );
  const isDefault = subject === defaults.subject && text === defaults.text;
  function reset(): void {
    form.change('subject', defaults.subject);
    form.change('text', defaults.text);
  }
  return (
    <>
      <div className="editor editor--preview">
        <div className="panel" ref={panel}>
          <RecordEditor section={section} form={form} actionLabel="Save">
            <button
              className="button button--plain"
              type="button"
              aria-disabled={isDefault}
              onClick={() => !isDefault && reset()}
            >
              Reset to default
            </button>
          </RecordEditor>
          <Placeholders placeholders={mail.wording.placeholders} container={panel} change={form.change} />
          <SendTestButton template={template} subject={subject} text={text} />
        </div>
        <MailPreview render={render} />
      </div>
      {form.base && <History section={section} record={form.base} form={form} />}
    </>
  );
}

function SendTestButton(typed: MailWording) {
  const { save, saving, problem } = useSave(async () => {
    const answer = await callApi('POST /mail-template-test', {
      body: typed,
      idempotencyKey: newIdempotencyKey(),
    });
    if (!answer.ok) return answer.problem;
    return () => showToast(`Test sent to ${answer.value.to}`);
  });
  return (
    <div className="mail-test">
      <FormProblem problem={problem} />
      <button
        className="button button--quiet"
        type="button"
        aria-disabled={saving}
        onClick={() => void save()}
      >
        Send a test to me
      </button>
      <p>Sends you the subject and text above, even if you haven’t saved them, with sample data.</p>
    </div>
  );
}
