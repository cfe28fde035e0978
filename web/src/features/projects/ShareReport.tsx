import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type ReportLink, reportLinkLimits } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { useIdempotencyKeys } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { useNow } from '../../workspace/projects/now.js';
import { useQuery, useSave } from '../../workspace/query.js';
import { Failure } from '../../workspace/Failure.js';
import { SelectField } from '../../workspace/SelectField.js';
import { When } from '../../workspace/When.js';

/** How long a link can be valid, in days. */
const periods = [
  ['7', '1 week'],
  ['30', '1 month'],
  ['90', '3 months'],
  ['365', '1 year'],
] as const;

export function ShareReport({ projectId }: { projectId: string }) {
  const links = useQuery('GET /project/:id/report-links', { params: { id: projectId } });
  const [createdLink, setCreatedLink] = useState<{ linkId: string; address: string }>();
  const isFull = (links.data?.length ?? 0) >= reportLinkLimits.links;
  return (
    <section className="panel no-print" aria-labelledby="share-report">
      <h2 id="share-report">Share the reports</h2>
      <p className="quiet-text">
        Anyone with a link can read this project’s reports of all months until the link expires or you revoke
        it.
      </p>
      <Failure query={links} />
      {isFull ? (
        <p>You have {reportLinkLimits.links} links. Revoke one before you create another.</p>
      ) : (
        <NewLinkForm
          projectId={projectId}
          onCreated={(linkId, address) => setCreatedLink({ linkId, address })}
        />
      )}
      {createdLink && <CreatedLink address={createdLink.address} />}
      {links.data && links.data.length > 0 && (
        <ul className="rows" aria-label="Links">
          {links.data.map((link) => (
            <li key={link._id}>
              <Row
                projectId={projectId}
                link={link}
                onDeleted={() => setCreatedLink((shown) => (shown?.linkId === link._id ? undefined : shown))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface NewLinkFormProps {
  projectId: string;
  onCreated(linkId: string, address: string): void;
}

function NewLinkForm({ projectId, onCreated }: NewLinkFormProps) {
  // If an answer is lost, another attempt gets the same link instead of a second one.
  const keyFor = useIdempotencyKeys();
  const [label, setLabel] = useState('');
  const [days, setDays] = useState('30');
  const { save, saving, problem } = useSave(async () => {
    const body = { label: label.trim(), days: Number(days) };
    const request = { params: { id: projectId }, body, idempotencyKey: keyFor(body) };
    const answer = await callApi('POST /project/:id/report-links', request);
    if (!answer.ok) return answer.problem;
    keyFor.renew();
    onCreated(answer.value._id, `${location.origin}/shared-report#token=${answer.value.token}`);
    setLabel('');
    return undefined;
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    void save();
  }
  return (
    <form className="form share-form" method="post" onSubmit={submit}>
      <Field
        name="label"
        label="For whom? (optional)"
        maxLength={100}
        value={label}
        placeholder="Board meeting"
        // The field is emptied once the link is created, so text typed meanwhile would be lost.
        readOnly={saving}
        onChange={({ target }) => setLabel(target.value)}
      />
      <SelectField
        name="days"
        label="Valid for"
        options={periods}
        value={days}
        onChange={({ target }) => setDays(target.value)}
      />
      <button className="button" type="submit" aria-disabled={saving}>
        {saving ? 'One moment' : 'Create link'}
      </button>
      <FormProblem problem={problem} />
    </form>
  );
}

/** The field with the address gets the focus, because the address can be shown only now. */
function CreatedLink({ address }: { address: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [copiedAddress, setCopiedAddress] = useState<string>();
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [address]);
  async function copy(): Promise<void> {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(address);
      setCopiedAddress(address);
    } catch {
      // The person can still copy the selected address by hand.
    }
  }
  return (
    <div className="callout created-link">
      <label htmlFor="created-link">
        <strong>Copy this link now.</strong> We can’t show it again.
      </label>
      <div className="created-link__row">
        <input className="field__input" id="created-link" ref={input} readOnly value={address} />
        <button className="button" type="button" onClick={() => void copy()}>
          {copiedAddress === address ? 'Copied' : 'Copy'}
        </button>
      </div>
      <p className="visually-hidden" role="status">
        {copiedAddress === address && 'Link copied'}
      </p>
    </div>
  );
}

function Row({ projectId, link, onDeleted }: { projectId: string; link: ReportLink; onDeleted(): void }) {
  const [revoking, setRevoking] = useState(false);
  const { _id, label, createdAt, expiresAt, openedAt } = link;
  const isExpired = Date.parse(expiresAt) < useNow();
  const verb = isExpired ? 'Remove' : 'Revoke';
  return (
    <>
      <div className="rows__what">
        <p>{label || 'Link without a name'}</p>
        <p className="quiet-text">
          Created <When at={createdAt} /> · {isExpired ? 'expired' : 'expires'} <When at={expiresAt} /> ·{' '}
          {openedAt ? (
            <>
              last opened <When at={openedAt} time />
            </>
          ) : (
            'not opened yet'
          )}
        </p>
      </div>
      <button className="button button--quiet" type="button" onClick={() => setRevoking(true)}>
        {verb}
        <span className="visually-hidden"> the link {label ? `for ${label}` : 'without a name'}</span>
      </button>
      {revoking && (
        <ConfirmDialog
          title={`${verb} this link?`}
          actionLabel={verb}
          close={() => setRevoking(false)}
          confirm={async () => {
            const answer = await callApi('DELETE /project/:id/report-links/:link', {
              params: { id: projectId, link: _id },
            });
            // A link that is already gone counts as revoked.
            if (!answer.ok && answer.problem.status !== 404) return answer.problem;
            onDeleted();
            return () => showToast(isExpired ? 'Link removed' : 'Link revoked');
          }}
        >
          <p>
            {isExpired
              ? 'It has expired and no longer works.'
              : 'It stops working right away, for everybody who has it.'}{' '}
            You can create another one.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
