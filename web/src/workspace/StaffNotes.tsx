import './thread.css';
import { type FormEvent, type ReactNode, useId } from 'react';
import type { StaffNote } from '#libs/contracts';
import { FormProblem } from '../components/FormProblem.js';
import type { Answer } from '../lib/api.js';
import { useIdempotencyKeys } from '../lib/form.js';
import { showToast } from '../lib/toasts.js';
import { useTextDraft } from './projects/text-draft.js';
import { type Query, useSave } from './query.js';
import { Failure } from './Failure.js';
import { submitOnCtrlEnter } from './submit-on-ctrl-enter.js';
import { useMarkUnsaved } from './unsaved.js';
import { When } from './When.js';

interface StaffNotesProps {
  /** Oldest first. */
  notes: Query<StaffNote[]>;
  /** The id of what new notes are about. */
  subjectId: string;
  /** The hint's words for the subject, such as 'this order'. */
  about: string;
  /** Shown after the author and time of a note. */
  origin?(note: StaffNote): ReactNode;
  add(text: string, idempotencyKey: string): Promise<Answer<StaffNote>>;
}

export function StaffNotes({ notes, subjectId, about, origin, add }: StaffNotesProps) {
  const titleId = useId();
  return (
    <section className="panel" aria-labelledby={titleId}>
      <h2 id={titleId}>Staff notes</h2>
      <Failure query={notes} />
      {notes.data && notes.data.length > 0 && (
        <ol className="thread" aria-busy={notes.loading}>
          {notes.data.map((note) => (
            <li className="thread__entry thread__entry--note" key={note._id}>
              <p className="thread__head">
                {note.author}, <When at={note.createdAt} time />
                {origin?.(note)}
              </p>
              <p className="thread__text">{note.text}</p>
            </li>
          ))}
        </ol>
      )}
      <NoteForm key={subjectId} subjectId={subjectId} about={about} add={add} />
    </section>
  );
}

function NoteForm({ subjectId, about, add }: Pick<StaffNotesProps, 'subjectId' | 'about' | 'add'>) {
  const id = useId();
  const { text, change, clear, isEmpty } = useTextDraft('note', subjectId);
  const keyFor = useIdempotencyKeys();
  useMarkUnsaved(!isEmpty);

  const { save, saving, problem } = useSave(async () => {
    const answer = await add(text, keyFor({ subjectId, text }));
    if (!answer.ok) {
      const [fault] = answer.problem.fields;
      return fault ? { ...answer.problem, sentence: `Your note ${fault.message}.` } : answer.problem;
    }
    return () => {
      keyFor.renew();
      clear();
      showToast('Note added');
    };
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    void save();
  }

  return (
    <form className="form" method="post" onSubmit={submit}>
      <div className="field">
        <label htmlFor={id}>New note</label>
        <textarea
          className="field__input"
          id={id}
          rows={3}
          dir="auto"
          maxLength={10_000}
          required
          value={text}
          // The field is emptied once the note is saved, so text typed meanwhile would be lost.
          readOnly={saving}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => change({ text: target.value })}
          onKeyDown={submitOnCtrlEnter}
        />
        <p className="field__hint" id={`${id}-hint`}>
          Only staff can see notes about {about}. You can’t edit or delete a note later.
        </p>
      </div>
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button button--quiet" type="submit" aria-disabled={saving}>
          {saving ? 'One moment' : 'Add note'}
        </button>
      </p>
    </form>
  );
}
