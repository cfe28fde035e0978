import './projects.css';
import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { FormProblem } from '../../components/FormProblem.js';
import { Icon } from '../../components/Icon.js';
import type { Answer, Problem } from '../../lib/api.js';
import { useIdempotencyKeys } from '../../lib/form.js';
import { submitOnCtrlEnter } from '../submit-on-ctrl-enter.js';
import { LeaveDialog } from '../LeaveDialog.js';
import { useLeaveGuard } from '../leave-guard.js';
import { useMarkUnsaved } from '../unsaved.js';
import type { TextDraft, Quote } from './text-draft.js';
import type { MessageBody } from './thread-calls.js';
import { DropArea, PickFiles, UploadList } from './UploadControls.js';
import { WritingHelp } from './WritingHelp.js';
import type { SendFile } from './upload-queue.js';
import { useUploads } from './use-uploads.js';

interface ComposerProps {
  draft: TextDraft;
  /** A note is for staff only, and looks different. */
  kind?: 'message' | 'note';
  /** A hidden composer goes on with its uploads. */
  hidden?: boolean;
  /** Names the form and its text field, and is the placeholder; such as 'Your message'. Sentences about faults of the text begin with it. */
  label: string;
  actionLabel: string;
  sendFile: SendFile;
  /** The draft stays if sending fails. */
  send(body: MessageBody, idempotencyKey: string): Promise<Answer<unknown>>;
}

/** Use another instance (`key`) for another thread or kind: only the `sendFile` and the draft’s files of the first render are used. */
export function Composer(props: ComposerProps) {
  const { draft, kind = 'message', hidden = false, label, actionLabel, sendFile, send } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const uploads = useUploads({
    send: sendFile,
    kept: draft.files,
    onChanged: (files) => draft.change({ files }),
  });
  const { submit, sending, awaitsFiles, problem } = useSending({
    ...{ draft, uploads, send, label, needsText: kind === 'note', hidden },
  });
  useMarkUnsaved(!draft.isEmpty);
  const leaving = useLeaveGuard(uploads.underWay);
  useFocusOnQuote(area, draft.quote?._id);

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    await submit();
    // Meanwhile, the person may have gone on elsewhere.
    const { activeElement } = document;
    if (activeElement === document.body || area.current?.form?.contains(activeElement)) area.current?.focus();
  }

  /** A resting composer takes only one line while the focus is elsewhere. */
  const isResting = draft.isEmpty && uploads.items.length === 0 && !problem;

  function dropQuote(): void {
    draft.change({ quote: undefined });
    area.current?.focus();
  }

  return (
    <DropArea
      className={`composing composing--${kind} ${isResting ? 'composing--resting' : ''}`}
      hidden={hidden}
      uploads={uploads}
    >
      <form
        className="composing__form"
        method="post"
        aria-label={label}
        onSubmit={(event) => void onSubmit(event)}
      >
        {draft.quote && <Quoted quote={draft.quote} remove={dropQuote} />}
        <label className="visually-hidden" htmlFor={id}>
          {label}
        </label>
        <textarea
          className="composing__text"
          id={id}
          ref={area}
          rows={2}
          dir="auto"
          maxLength={20_000}
          placeholder={label}
          value={draft.text}
          // Text typed while the draft is being sent would be lost when the draft is emptied.
          readOnly={sending}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onChange={({ target }) => draft.change({ text: target.value })}
          onKeyDown={submitOnCtrlEnter}
        />
        <UploadList uploads={uploads} label={`Files of ${label.charAt(0).toLowerCase()}${label.slice(1)}`} />
        <FormProblem problem={problem} />
        <div className="composing__end">
          <WritingHelp />
          <PickFiles uploads={uploads} />
          <button className="button" type="submit" aria-disabled={sending || awaitsFiles}>
            {awaitsFiles ? 'Waiting for files' : sending ? 'Sending' : actionLabel}
          </button>
        </div>
      </form>
      <LeaveDialog leaving={leaving}>
        A file is still being uploaded. This browser keeps your draft without it.
      </LeaveDialog>
    </DropArea>
  );
}

function Quoted({ quote, remove }: { quote: Quote; remove(): void }) {
  return (
    <div className="composing__quote">
      <blockquote dir="auto">
        <cite>{quote.name}</cite> {quote.text}
      </blockquote>
      <button className="upload__remove" type="button" onClick={remove}>
        <Icon name="close" />
        <span className="visually-hidden">Remove quote</span>
      </button>
    </div>
  );
}

interface SendingOptions extends Pick<ComposerProps, 'draft' | 'send' | 'label' | 'hidden'> {
  uploads: ReturnType<typeof useUploads>;
  /** Files alone are not enough. */
  needsText: boolean;
}

/** Waits for all uploads. If one of them fails, the person decides what to do. */
function useSending({ draft, uploads, send, label, needsText, hidden }: SendingOptions) {
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  /** What is sent when the files are uploaded. */
  const [awaited, setAwaited] = useState<Pick<TextDraft, 'text' | 'quote'>>();
  const awaitsFiles = !hidden && awaited?.text === draft.text && awaited.quote?._id === draft.quote?._id;
  // Whoever goes on writing does not want the text to be sent by itself, even if they restore it. Nothing is sent from a hidden composer.
  if (awaited && !awaitsFiles) {
    setAwaited(undefined);
    if (hidden) setProblem(problemOf('This wasn’t sent, because you went on to something else.'));
  }
  // `sending` changes only with the next render: a second click may come before it.
  const isSubmitting = useRef(false);
  const keyFor = useIdempotencyKeys();

  async function submit(): Promise<void> {
    if (isSubmitting.current) return;
    setProblem(undefined);
    if (uploads.underWay) return setAwaited(draft);
    setAwaited(undefined);
    if (uploads.items.some(({ state }) => state !== 'done'))
      return setProblem(problemOf('A file couldn’t be uploaded. Try it again or remove it, then send.'));
    const text = draft.text.trim();
    const files = uploads.files.map(({ _id }) => _id);
    if (text === '' && (needsText || files.length === 0)) return setProblem(problemOf(`${label} is empty.`));
    const body: MessageBody = { text, files, ...(draft.quote && { quote: draft.quote._id }) };
    isSubmitting.current = true;
    setSending(true);
    const answer = await send(body, keyFor(body));
    isSubmitting.current = false;
    setSending(false);
    if (!answer.ok) return setProblem(refusalOf(answer.problem, label));
    keyFor.renew();
    uploads.clear();
    draft.clear();
  }

  const resume = useEffectEvent(() => void submit());
  useEffect(() => {
    // Not within the effect, because `submit` changes state that the effect depends on.
    if (awaitsFiles && !uploads.underWay) queueMicrotask(resume);
  }, [awaitsFiles, uploads.underWay]);
  return { submit, sending, awaitsFiles, problem };
}

const problemOf = (sentence: string): Problem => ({ status: 0, sentence, fields: [] });

function refusalOf(problem: Problem, label: string): Problem {
  const [fault] = problem.fields;
  if (!fault) return problem;
  if (fault.field.startsWith('files'))
    return {
      ...problem,
      sentence: 'A file in this draft can no longer be sent. Remove it here and upload it again.',
    };
  if (fault.field === 'quote')
    return { ...problem, sentence: 'The message that you quote was deleted. Remove the quote, then send.' };
  return { ...problem, sentence: `${label} ${fault.message}.` };
}

function useFocusOnQuote(
  area: React.RefObject<HTMLTextAreaElement | null>,
  quotedId: string | undefined,
): void {
  const previousId = useRef(quotedId);
  useEffect(() => {
    if (quotedId && quotedId !== previousId.current) area.current?.focus();
    previousId.current = quotedId;
  }, [area, quotedId]);
}
