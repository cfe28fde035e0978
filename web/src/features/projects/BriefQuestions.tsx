import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router-dom';
import type { Brief, BriefQuestion } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import type { Problem } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { focusContent } from '../../workspace/focus-content.js';
import { counted } from '../../workspace/formats.js';
import {
  answerFault,
  completeAddress,
  isAnswered,
  requiredUnanswered,
} from '../../workspace/projects/brief-draft.js';
import { BriefFields, fieldId } from '../../workspace/projects/BriefFields.js';
import { sendFileTo } from '../../workspace/projects/upload.js';
import { useRefetch } from '../../workspace/query.js';
import { When } from '../../workspace/When.js';
import { type BriefForm, useBriefForm } from './brief-form.js';

type FieldErrors = Readonly<Record<string, string | undefined>>;

export function BriefQuestions({ brief, projectId }: { brief: Brief; projectId: string }) {
  const { questions, introduction } = brief;
  const form = useBriefForm(brief, projectId);
  const { errors, problem, sending, submit, leaveField } = useCompletion(form, questions, projectId);
  const [sendFile] = useState(() => sendFileTo({ projectId, side: 'customer' }));
  // An answer that is kept here after a colleague's change may contain a file that the colleague has removed. It is in `brief`, but no longer in
  // `stored`.
  const uploaded = [...form.stored.files, ...brief.files];
  const [uploadingQuestions, setUploadingQuestions] = useState<readonly string[]>([]);
  const isUploading = uploadingQuestions.length > 0;
  const refetch = useRefetch();
  const showSentAnswers = useEffectEvent(() => void refetch());
  const wasCompleted = Boolean(form.stored.completedAt) && !sending;
  useEffect(() => {
    // A colleague has completed the brief, or the response to this person's own request was lost.
    if (wasCompleted) showSentAnswers();
  }, [wasCompleted]);
  return (
    <form
      className="form brief-form"
      method="post"
      noValidate
      aria-label="Questions"
      onSubmit={(event) => (isUploading ? event.preventDefault() : void submit(event))}
      onBlur={({ target, relatedTarget }) => leaveField(target, relatedTarget)}
    >
      {introduction && <p className="brief-form__introduction">{introduction}</p>}
      <Progress form={form} questions={questions} />
      <div className="form" inert={sending}>
        <BriefFields
          questions={questions}
          answers={form.answers}
          errors={errors}
          change={form.change}
          files={uploaded}
          sendFile={sendFile}
          setUploading={(questionId, isActive) =>
            setUploadingQuestions((ids) => [
              ...ids.filter((one) => one !== questionId),
              ...(isActive ? [questionId] : []),
            ])
          }
        />
        <Conflicts form={form} questions={questions} />
      </div>
      <ErrorSummary errors={errors} questions={questions} />
      <FormProblem problem={problem} />
      <div className="brief-form__end">
        <button className="button" type="submit" aria-disabled={sending || isUploading}>
          {isUploading ? 'Waiting for files' : sending ? 'One moment' : 'Send answers'}
        </button>
        <SaveState form={form} />
      </div>
    </form>
  );
}

function useCompletion(form: BriefForm, questions: readonly BriefQuestion[], projectId: string) {
  const navigate = useNavigate();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<Problem>();
  const [sending, setSending] = useState(false);
  const underWay = useRef(false);

  function showErrors(shown: FieldErrors): void {
    setErrors(shown);
    const first = questions.find((question) => shown[question.id]);
    if (first) document.getElementById(fieldId(first.id))?.focus();
  }
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (underWay.current) return;
    setProblem(undefined);
    const faults = questions.map((question) => [
      question.id,
      answerFault(question, completedAnswer(question)),
    ]);
    showErrors(Object.fromEntries(faults) as FieldErrors);
    if (faults.some(([, fault]) => fault)) return;
    underWay.current = true;
    // While sending, the fields are inert, because a change would not be sent. The button takes the focus from them.
    event.nativeEvent.submitter?.focus();
    setSending(true);
    const refusal = await form.complete();
    if (refusal) {
      underWay.current = false;
      // An inert field cannot take the focus.
      flushSync(() => setSending(false));
      return showRefusal(refusal);
    }
    // The button stays busy until the project is shown.
    showToast('Thank you. We have your answers.');
    await navigate(`/project/${projectId}`);
  }
  function showRefusal(refusal: Problem): void {
    const questionErrors = refusal.fields.flatMap(({ field, message }) => {
      const question = questions.find(
        (one) => field === fieldId(one.id) || field.startsWith(`${fieldId(one.id)}.`),
      );
      return question ? [[question.id, toSentence(message)]] : [];
    });
    if (questionErrors.length === 0) setProblem(refusal);
    showErrors(Object.fromEntries(questionErrors) as FieldErrors);
  }
  /** The answer to this question. If it is an incomplete web address, it is completed. */
  function completedAnswer({ id, kind }: BriefQuestion) {
    const typed = form.answers[id];
    const answer = kind === 'url' && typeof typed === 'string' ? completeAddress(typed) : typed;
    if (answer !== undefined && answer !== typed) form.change(id, answer);
    return answer;
  }
  /**
   * Completes an incomplete web address. Also shows what is wrong with the answer, unless the focus moves to a button or link: an error that
   * appears or disappears would move it away from under the pointer.
   */
  function leaveField(field: EventTarget, next: EventTarget | null): void {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    const question = questions.find((one) => fieldId(one.id) === field.name);
    if (!question) return;
    const answer = completedAnswer(question);
    if (next instanceof Element && next.matches('a, button')) return;
    const fault = answerFault(question, answer);
    // Leaving a question empty is not reported as an error yet.
    if (isAnswered(answer) || !fault) setErrors((before) => ({ ...before, [question.id]: fault }));
  }
  return { errors, problem, sending, submit, leaveField };
}

/** 'is required' → 'This answer is required.' */
const toSentence = (message: string) =>
  /^\p{Lu}/u.test(message) ? message : `This answer ${message}${message.endsWith('.') ? '' : '.'}`;

interface FormPartProps {
  form: BriefForm;
  questions: readonly BriefQuestion[];
}

function Progress({ form, questions }: FormPartProps) {
  const answered = questions.filter(({ id }) => isAnswered(form.answers[id])).length;
  const missing = requiredUnanswered(questions, form.answers).length;
  const { savedAt, savedBy } = form.stored;
  return (
    <div className="brief-progress">
      <progress max={questions.length} value={answered} aria-label="Answered questions" />
      <p>
        {answered} of {counted(questions.length, 'question')} answered
        {missing > 0 && answered > 0 && `, ${missing} still needed`}
        {savedAt && savedBy && (
          <>
            . Last saved by {savedBy}, <When at={savedAt} time />
          </>
        )}
      </p>
    </div>
  );
}

function Conflicts({ form, questions }: FormPartProps) {
  return form.conflicts.map(({ questionId, answer, by }) => {
    const question = questions.find(({ id }) => id === questionId);
    const label = question?.label ?? '';
    const theirs = Array.isArray(answer) ? answer.join(', ') : answer;
    const isFile = question?.kind === 'file';
    return (
      <div className="brief-conflict" key={questionId} role="alert">
        <p>
          {by ?? 'Someone else'} has also just answered “{label}”. Your answer is kept
          {isFile ? '.' : '. Their answer:'}
        </p>
        {!isFile && <blockquote dir="auto">{theirs || 'No answer'}</blockquote>}
        <p className="buttons">
          <button
            className="button button--quiet"
            type="button"
            onClick={() => {
              form.dismissConflict(questionId);
              focusContent();
            }}
          >
            Keep mine
          </button>
          <button
            className="button button--plain"
            type="button"
            onClick={() => {
              form.change(questionId, answer);
              focusContent();
            }}
          >
            Use theirs
          </button>
        </p>
      </div>
    );
  });
}

function ErrorSummary({ errors, questions }: { errors: FieldErrors; questions: readonly BriefQuestion[] }) {
  const wrongQuestions = questions.filter(({ id }) => errors[id]);
  return (
    <div role="alert" className="form-problem-region">
      {wrongQuestions.length > 0 && (
        <div className="form-problem">
          <p>Please check:</p>
          <ul className="brief-form__faults">
            {wrongQuestions.map(({ id, label }) => (
              <li key={id}>
                <a
                  href={`#${fieldId(id)}`}
                  onClick={(event) => {
                    event.preventDefault();
                    document.getElementById(fieldId(id))?.focus();
                  }}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function SaveState({ form: { stored, isUnsaved, saving, problem } }: { form: BriefForm }) {
  const savedText = stored.savedAt ? 'Saved' : 'Your answers are saved automatically.';
  return (
    <p className="brief-form__saved" role="status">
      {problem
        ? `Not saved yet, but kept in this browser. ${problem.sentence}`
        : saving || isUnsaved
          ? 'Saving…'
          : savedText}
    </p>
  );
}
