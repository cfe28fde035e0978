import './projects.css';
import '../choices.css';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { type BriefAnswers, type BriefQuestion, type ProjectFile, projectLimits } from '#libs/contracts';
import { Field, TextAreaField } from '../../components/Field.js';
import { DropArea, PickFiles, UploadList } from './UploadControls.js';
import type { SendFile } from './upload-queue.js';
import { useUploads } from './use-uploads.js';

type Answer = BriefAnswers[string];

interface BriefFieldsProps {
  questions: readonly BriefQuestion[];
  answers: BriefAnswers;
  errors?: Readonly<Record<string, string | undefined>>;
  change(questionId: string, answer: Answer): void;
  files: readonly ProjectFile[];
  /** Left out in a preview, which takes no files. */
  sendFile?: SendFile;
  /** Called when the question is first shown, when uploads to it begin, and when the last of them has ended. */
  setUploading?(questionId: string, isUploading: boolean): void;
}

/** Each question’s field, first choice or file button has the id `fieldId(question.id)`. */
export function BriefFields({ questions, answers, errors = {}, ...props }: BriefFieldsProps) {
  return questions.map((question) => (
    <Question
      key={question.id}
      question={question}
      answer={answers[question.id]}
      error={errors[question.id]}
      {...props}
    />
  ));
}

/** Also the name of the field in the API’s validation errors. */
export const fieldId = (questionId: string) => `answers.${questionId}`;

export const textOf = (answer: Answer | undefined) => (typeof answer === 'string' ? answer : '');
export const listOf = (answer: Answer | undefined) => (Array.isArray(answer) ? answer : []);

interface QuestionProps extends Pick<BriefFieldsProps, 'change' | 'files' | 'sendFile' | 'setUploading'> {
  question: BriefQuestion;
  answer: Answer | undefined;
  error: string | undefined;
}

function Question(props: QuestionProps) {
  const { question, answer, error, change } = props;
  const { id, kind, help, required } = question;
  const label = required ? question.label : `${question.label} (optional)`;
  const common = {
    name: fieldId(id),
    label,
    ...(help && { hint: help }),
    ...(error && { error }),
    value: textOf(answer),
    required,
  };
  const onChange = ({ target }: { target: { value: string } }) => change(id, target.value);
  switch (kind) {
    case 'short_text':
      return <Field {...common} maxLength={projectLimits.shortAnswer} onChange={onChange} />;
    case 'long_text':
      return <TextAreaField {...common} rows={5} maxLength={10_000} onChange={onChange} />;
    case 'url':
      return (
        <Field
          {...common}
          inputMode="url"
          autoCapitalize="none"
          autoComplete="url"
          spellCheck={false}
          placeholder="https://example.com"
          onChange={onChange}
        />
      );
    case 'date':
      return (
        <div className="brief-date">
          <Field {...common} type="date" min="1900-01-01" max="2999-12-31" onChange={onChange} />
        </div>
      );
    case 'choice':
      return <Choice {...props} label={label} />;
    case 'choices':
      return <Choices {...props} label={label} />;
    case 'file':
      return <Files {...props} label={label} />;
  }
}

interface GroupProps extends Pick<QuestionProps, 'question' | 'error'> {
  label: string;
  children: ReactNode;
}

/** A question with several controls. */
function Group({ question: { id, help }, label, error, children }: GroupProps) {
  const name = fieldId(id);
  const descriptionIds = [help && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return (
    <fieldset className="brief-group" aria-describedby={descriptionIds || undefined}>
      <legend>{label}</legend>
      {help && (
        <p className="field__hint" id={`${name}-hint`}>
          {help}
        </p>
      )}
      {children}
      {error && (
        <p className="field__error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

function Choice({ question, answer, error, change, label }: QuestionProps & { label: string }) {
  const { id, options, required } = question;
  const chosen = textOf(answer);
  return (
    <Group question={question} label={label} error={error}>
      {options.map((option, index) => (
        <label className="brief-option" key={option}>
          <input
            type="radio"
            id={index === 0 ? fieldId(id) : undefined}
            name={fieldId(id)}
            value={option}
            checked={chosen === option}
            aria-invalid={error ? true : undefined}
            onChange={() => change(id, option)}
          />
          <span>{option}</span>
        </label>
      ))}
      {!required && chosen !== '' && (
        <button className="button button--plain" type="button" onClick={() => change(id, '')}>
          Clear choice<span className="visually-hidden"> for “{question.label}”</span>
        </button>
      )}
    </Group>
  );
}

function Choices({ question, answer, error, change, label }: QuestionProps & { label: string }) {
  const { id, options } = question;
  const chosen = listOf(answer);
  return (
    <Group question={question} label={label} error={error}>
      {options.map((option, index) => (
        <label className="brief-option" key={option}>
          <input
            type="checkbox"
            id={index === 0 ? fieldId(id) : undefined}
            name={fieldId(id)}
            value={option}
            checked={chosen.includes(option)}
            aria-invalid={error ? true : undefined}
            onChange={({ target }) =>
              change(
                id,
                options.filter((one) => (one === option ? target.checked : chosen.includes(one))),
              )
            }
          />
          <span>{option}</span>
        </label>
      ))}
    </Group>
  );
}

/** For a preview, in which no file can be added. It is never called. */
const noUpload: SendFile = () => new Promise(() => undefined);

function Files({
  question,
  answer,
  error,
  change,
  label,
  files,
  sendFile,
  setUploading,
}: QuestionProps & { label: string }) {
  /** `files` lacks files that were added here until the answer has been saved. */
  const [latest, setLatest] = useState<readonly ProjectFile[]>([]);
  const known = [...files, ...latest];
  const uploads = useUploads({
    send: sendFile ?? noUpload,
    current: listOf(answer).flatMap((id) => known.find(({ _id }) => _id === id) ?? []),
    onChanged: (uploaded) => {
      setLatest(uploaded);
      change(
        question.id,
        uploaded.map(({ _id }) => _id),
      );
    },
  });
  const { underWay } = uploads;
  const report = useEffectEvent(() => setUploading?.(question.id, underWay));
  useEffect(() => report(), [underWay]);
  return (
    <Group question={question} label={label} error={error}>
      <DropArea className="brief-files" uploads={sendFile ? uploads : { add: () => undefined }}>
        <UploadList uploads={uploads} label={question.label} />
        {sendFile ? (
          <PickFiles uploads={uploads} id={fieldId(question.id)} />
        ) : (
          <p className="field__hint">Customers add files here.</p>
        )}
      </DropArea>
    </Group>
  );
}
