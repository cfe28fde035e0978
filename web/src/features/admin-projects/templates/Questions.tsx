import { useEffect, useRef } from 'react';
import { type QuestionKind, templateLimits } from '#libs/contracts';
import { CheckboxField, Field, TextAreaField } from '../../../components/Field.js';
import { Icon } from '../../../components/Icon.js';
import { SelectField } from '../../../workspace/SelectField.js';
import { offerUndo } from '../../../workspace/undo.js';
import { moved } from '../list-order.js';
import { ReorderButtons } from '../ReorderButtons.js';
import type { TemplateForm } from './template-form.js';
import { newQuestion, questionFieldId, type QuestionValues } from './template-values.js';
import { hasOptions, kindWords } from './words.js';

export function Questions({ form }: { form: TemplateForm }) {
  const { questions } = form.values;
  const latest = useLatest(form);
  const set = (changed: readonly QuestionValues[]) => form.change({ questions: changed });

  function add(): void {
    const question = newQuestion();
    set([...questions, question]);
    form.setQuestionOpen(question.id, true);
  }
  function remove(question: QuestionValues): void {
    const index = questions.indexOf(question);
    set(questions.filter((other) => other !== question));
    offerUndo(
      `Removed ${nameOf(question, index)}`,
      async () => {
        const openForm = latest.current;
        if (!openForm) return { status: 0, sentence: 'This template is no longer open.', fields: [] };
        const others = openForm.values.questions;
        if (others.length >= templateLimits.questions)
          return { status: 0, sentence: briefFullSentence, fields: [] };
        openForm.change({ questions: [...others.slice(0, index), question, ...others.slice(index)] });
        return undefined;
      },
      { takesFocus: true },
    );
  }

  return (
    <section className="template__part" aria-labelledby="template-questions">
      <h2 id="template-questions">Brief questions</h2>
      <p className="field__hint">
        The customer answers them right after paying. Work begins, and the delivery time starts, when the
        brief is complete. Without questions, work begins right after payment.
      </p>
      {questions.length > 0 && (
        <ol className="brief-questions">
          {questions.map((question, index) => (
            <li className="brief-questions__item" key={question.id}>
              <Question
                form={form}
                question={question}
                index={index}
                change={(part) =>
                  set(questions.map((other) => (other === question ? { ...question, ...part } : other)))
                }
                move={(to) => set(moved(questions, index, to))}
                remove={() => remove(question)}
              />
            </li>
          ))}
        </ol>
      )}
      {questions.length < templateLimits.questions ? (
        <p className="buttons">
          <button className="button button--quiet" type="button" onClick={add}>
            <Icon name="plus" />
            Add a question
          </button>
        </p>
      ) : (
        <p className="field__hint">A brief has at most {templateLimits.questions} questions.</p>
      )}
    </section>
  );
}

const briefFullSentence = `A brief has at most ${templateLimits.questions} questions, so this one can’t be added back.`;

/** `current` is undefined once the screen is left. */
function useLatest(form: TemplateForm) {
  const latest = useRef<TemplateForm>(undefined);
  useEffect(() => {
    latest.current = form;
    return () => {
      latest.current = undefined;
    };
  });
  return latest;
}

const nameOf = ({ label }: QuestionValues, index: number) =>
  label.trim() ? `‘${label.trim()}’` : `question ${index + 1}`;

interface QuestionProps {
  form: TemplateForm;
  question: QuestionValues;
  index: number;
  change(part: Partial<QuestionValues>): void;
  move(to: number): void;
  remove(): void;
}

function Question({ form, question, index, change, move, remove }: QuestionProps) {
  const { id, label, kind, required } = question;
  const isOpen = form.openQuestions.includes(id);
  const name = nameOf(question, index);
  return (
    <>
      <div className="brief-questions__head">
        <span className="brief-questions__number" aria-hidden="true">
          {index + 1}
        </span>
        <div className="brief-questions__text">
          <h3 className={label.trim() ? undefined : 'brief-questions__untitled'}>
            {label.trim() || 'New question'}
          </h3>
          <p className="field__hint">
            {kindWords[kind]}
            {required && ', required'}
          </p>
        </div>
        <ReorderButtons name={name} index={index} count={form.values.questions.length} move={move} />
        <button
          className="button button--plain"
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `question-${id}` : undefined}
          onClick={() => form.setQuestionOpen(id, !isOpen)}
        >
          {isOpen ? 'Close' : 'Edit'}
          <span className="visually-hidden"> {name}</span>
        </button>
        <button className="button button--plain" type="button" onClick={remove}>
          Remove<span className="visually-hidden"> {name}</span>
        </button>
      </div>
      {isOpen && <QuestionFields form={form} question={question} change={change} />}
    </>
  );
}

const kindOptions = Object.entries(kindWords);

function QuestionFields({ form, question, change }: Pick<QuestionProps, 'form' | 'question' | 'change'>) {
  const { id, label, help, kind, required, options } = question;
  const errorOf = (name: 'label' | 'help' | 'options') => form.errors[questionFieldId(id, name)];
  const fields = useRef<HTMLDivElement>(null);
  const isNew = useRef(label === '');
  useEffect(() => {
    if (isNew.current) fields.current?.querySelector('input')?.focus();
  }, []);
  return (
    <div className="brief-questions__fields" id={`question-${id}`} ref={fields}>
      <Field
        name={questionFieldId(id, 'label')}
        label="Question"
        required
        maxLength={300}
        value={label}
        error={errorOf('label')}
        onChange={({ target }) => change({ label: target.value })}
      />
      <TextAreaField
        name={questionFieldId(id, 'help')}
        label="Help (optional)"
        hint="Shown below the question: an example, or where to find the answer."
        rows={2}
        maxLength={1_000}
        value={help}
        error={errorOf('help')}
        onChange={({ target }) => change({ help: target.value })}
      />
      <SelectField
        name={questionFieldId(id, 'kind')}
        label="Answer type"
        options={kindOptions}
        value={kind}
        onChange={({ target }) => change({ kind: target.value as QuestionKind })}
      />
      {hasOptions(kind) && (
        <TextAreaField
          name={questionFieldId(id, 'options')}
          label="Options"
          hint="One on each line."
          rows={5}
          value={options}
          error={errorOf('options')}
          onChange={({ target }) => change({ options: target.value })}
        />
      )}
      <CheckboxField
        name={`question-${id}-required`}
        label="Required: the brief can’t be completed without an answer"
        checked={required}
        onChange={({ target }) => change({ required: target.checked })}
      />
    </div>
  );
}
