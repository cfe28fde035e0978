import { type FormEvent, useRef, useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { TextAreaField } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { CloseButton, Dialog } from '../../workspace/Dialog.js';
import { focusContentIfFocusIsLost } from '../../workspace/focus-content.js';
import type { Move } from './state-moves.js';
import { useMove } from './use-move.js';
import { projectNumber } from './words.js';

interface MoveDialogProps {
  project: StaffProject;
  move: Move;
  close(): void;
}

const words = {
  on_hold: {
    title: 'Put on hold',
    action: 'Put on hold',
    text: 'Work is interrupted until somebody resumes it.',
  },
  closed: {
    title: 'Close',
    action: 'Close project',
    text: 'Work ends, even if the customer hasn’t accepted it. Nothing is refunded. You can reopen the project.',
  },
} as const;

/** The reason is optional and for the customer. Render the dialog only while it is open. */
export function MoveDialog({ project, move: { to }, close }: MoveDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  // The screen may read the project again behind the dialog.
  const [shownVersion] = useState(project.version);
  const { move, moving, problem } = useMove(project, shownVersion);
  // Moves to this state never open the dialog.
  if (to === 'in_progress') return null;
  const { title, action, text } = words[to];

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // The change can unmount this dialog. It is closed even then, because the `close` event moves a lost focus to the content.
    const element = dialog.current;
    if (!(await move(to, reason.trim() || undefined))) return;
    element?.addEventListener('close', focusContentIfFocusIsLost, { once: true });
    element?.close();
  }

  return (
    <Dialog
      ref={dialog}
      title={`${title}: ${project.title} ${projectNumber(project)}`}
      sending={moving}
      close={close}
    >
      <form className="form" method="post" onSubmit={(event) => void submit(event)}>
        <p>{text}</p>
        {to === 'closed' && project.subscriptionId && (
          <p>The customer’s monthly plan continues to be charged until it’s cancelled.</p>
        )}
        <TextAreaField
          name="reason"
          label="Reason (optional)"
          hint={`${project.customerName} can read it, in the project and in an e-mail.`}
          rows={3}
          maxLength={1_000}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <FormProblem problem={problem} />
        <p className="buttons">
          <CloseButton sending={moving}>Cancel</CloseButton>
          <button className="button" type="submit" aria-disabled={moving}>
            {moving ? 'One moment' : action}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
