import { useMemo, useState } from 'react';
import type { StaffProject, StaffThreadEntry } from '#libs/contracts';
import { Glyph, Icon } from '../../../components/Icon.js';
import { callApi } from '../../../lib/api.js';
import { Composer } from '../../../workspace/projects/Composer.js';
import type { MessageBody } from '../../../workspace/projects/thread-calls.js';
import { sendFileTo } from '../../../workspace/projects/upload.js';
import type { Mode, useStaffDrafts } from './staff-drafts.js';

const lockPath = 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3';

interface StaffComposerProps {
  project: StaffProject;
  drafts: ReturnType<typeof useStaffDrafts>;
  /** Shows the new entry before the live thread receives it. */
  show(entry: StaffThreadEntry): void;
}

export function StaffComposer({ project, drafts, show }: StaffComposerProps) {
  const { mode, chooseMode, byMode } = drafts;
  const { _id: id, customerName } = project;
  const sendFileByMode = useMemo(
    () => ({
      message: sendFileTo({ projectId: id, side: 'staff' }),
      note: sendFileTo({ projectId: id, side: 'staff', hidden: true }),
    }),
    [id],
  );
  // A message and a note can be sent at the same time.
  const [sendingCount, setSendingCount] = useState(0);
  const sending = sendingCount > 0;
  async function send(kind: Mode, { text, files, quote }: MessageBody, idempotencyKey: string) {
    const params = { id };
    setSendingCount((count) => count + 1);
    const answer =
      kind === 'note'
        ? await callApi('POST /staff-project/:id/notes', { params, body: { text, files }, idempotencyKey })
        : await callApi('POST /staff-project/:id/messages', {
            params,
            body: { text, files, ...(quote && { quote }) },
            idempotencyKey,
          });
    setSendingCount((count) => count - 1);
    if (answer.ok) show(answer.value);
    return answer;
  }
  const other: Mode = mode === 'note' ? 'message' : 'note';
  const otherFiles = byMode[other].files.length;
  return (
    <div className={`staff-composer staff-composer--${mode}`}>
      <ModeButtons
        mode={mode}
        // While a note is being sent, its text must not become a draft of a message.
        choose={(chosen) => !sending && chooseMode(chosen)}
        disabled={sending}
        customerName={customerName}
      />
      {otherFiles > 0 && (
        <p className="field__hint" role="status">
          {otherFiles === 1
            ? `1 file is still attached to your draft ${other}, and isn’t part of this ${mode}. To include it here, add it again.`
            : `${otherFiles} files are still attached to your draft ${other}, and aren’t part of this ${mode}. To include them here, add them again.`}
        </p>
      )}
      {/* Both stay, so that files are uploaded although the mode changes. */}
      <Composer
        hidden={mode !== 'note'}
        draft={byMode.note}
        kind="note"
        label="Note for staff"
        actionLabel="Add note"
        sendFile={sendFileByMode.note}
        send={(...sent) => send('note', ...sent)}
      />
      <Composer
        hidden={mode !== 'message'}
        draft={byMode.message}
        label={`Message to ${customerName}`}
        actionLabel={`Send to ${customerName}`}
        sendFile={sendFileByMode.message}
        send={(...sent) => send('message', ...sent)}
      />
    </div>
  );
}

interface ModeButtonsProps {
  mode: Mode;
  choose(chosen: Mode): void;
  disabled: boolean;
  customerName: string;
}

function ModeButtons({ mode, choose, disabled, customerName }: ModeButtonsProps) {
  const buttonProps = (chosen: Mode) => ({
    ...{ type: 'button' as const, 'aria-pressed': mode === chosen, 'aria-disabled': disabled },
    onClick: () => choose(chosen),
  });
  return (
    <div className="staff-composer__modes" role="group" aria-label="Message or note">
      <button {...buttonProps('message')}>
        <Icon name="mail" />
        <span>
          Message<span className="staff-composer__whom"> to {customerName}</span>
        </span>
      </button>
      <button {...buttonProps('note')}>
        <Glyph path={lockPath} />
        Note – only staff see this
      </button>
    </div>
  );
}
