import { useState } from 'react';
import type { Campaign } from '#libs/contracts';
import { callApi, type Problem } from '../../../lib/api.js';
import { newIdempotencyKey } from '../../../lib/form.js';
import { showToast } from '../../../lib/toasts.js';
import { ConfirmDialog } from '../../../workspace/ConfirmDialog.js';
import { formatDateTime } from '../../../workspace/formats.js';
import { type ChangeResult, useQuery } from '../../../workspace/query.js';
import { duration, people } from './words.js';

interface SendDialogProps {
  campaign: Pick<Campaign, '_id' | 'subject' | 'version'>;
  close(): void;
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function SendDialog({ campaign, close }: SendDialogProps) {
  const audience = useQuery('GET /campaign-audience');
  const [later, setLater] = useState(false);
  const [localTime, setLocalTime] = useState('');
  const isTime = !Number.isNaN(Date.parse(localTime));
  const [idempotencyKey] = useState(newIdempotencyKey);

  async function send(): Promise<ChangeResult> {
    const at = later ? new Date(localTime) : undefined;
    // `at <= new Date()` would accept an invalid date.
    if (at && !(at > new Date())) return refusal('Choose a date and time in the future.');
    const answer = await callApi('POST /campaign/:id/send', {
      params: { id: campaign._id },
      body: at ? { at: at.toISOString() } : {},
      ifVersion: campaign.version,
      // Sending at a different time is a different request.
      idempotencyKey: `${idempotencyKey}${at?.getTime() ?? ''}`,
    });
    if (!answer.ok) {
      const [fault] = answer.problem.fields;
      return fault ? refusal(`The date and time ${fault.message}.`) : answer.problem;
    }
    return () => showToast(at ? 'Campaign scheduled' : 'Sending started');
  }

  return (
    <ConfirmDialog
      title="Send this campaign?"
      actionLabel={later ? 'Schedule campaign' : 'Send now'}
      confirm={send}
      close={close}
    >
      <p>
        ‘{campaign.subject}’{' '}
        {later ? 'will go to everyone who is subscribed when sending starts: ' : 'goes to '}
        <strong>{audience.data ? people(audience.data.recipients) : '…'}</strong>
        {later && ', as of today'}.
        {audience.data && audience.data.recipients > 0 && (
          <> It takes {duration(audience.data.recipients, audience.data.perMinute)}.</>
        )}
      </p>
      {audience.problem && <p>{audience.problem.sentence}</p>}
      <fieldset className="send-when">
        <legend className="visually-hidden">When</legend>
        <label>
          <input type="radio" name="when" checked={!later} onChange={() => setLater(false)} /> Now
        </label>
        <label>
          <input type="radio" name="when" checked={later} onChange={() => setLater(true)} /> Later
        </label>
      </fieldset>
      {later && (
        <div className="field">
          <label htmlFor="send-at">Date and time ({zone})</label>
          <input
            className="field__input"
            id="send-at"
            type="datetime-local"
            // Without a maximum, browsers take years of six digits.
            max="2999-12-31T23:59"
            value={localTime}
            onChange={({ target }) => setLocalTime(target.value)}
          />
          <p className="field__help">{isTime && formatDateTime(localTime)}</p>
        </div>
      )}
    </ConfirmDialog>
  );
}

function refusal(sentence: string): Problem {
  return { status: 0, sentence, fields: [] };
}
