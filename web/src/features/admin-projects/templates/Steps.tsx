import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { templateLimits } from '#libs/contracts';
import { Icon } from '../../../components/Icon.js';
import { moved } from '../list-order.js';
import { ReorderButtons } from '../ReorderButtons.js';
import type { TemplateForm } from './template-form.js';
import { newStep } from './template-values.js';

/** Enter adds a step below the current one. Backspace removes a step without text, unless it is the only step. */
export function Steps({ form }: { form: TemplateForm }) {
  const { checklist } = form.values;
  const addButton = useRef<HTMLButtonElement>(null);
  // The step to focus next; without an id, the button that adds a step. A new object each time, because the same step can be next twice in a row.
  const [toFocus, setToFocus] = useState<{ id: string | undefined }>();
  useEffect(() => {
    if (toFocus) (document.getElementById(`step-${toFocus.id}`) ?? addButton.current)?.focus();
  }, [toFocus]);

  function addAt(index: number): void {
    if (checklist.length >= templateLimits.checklist) return;
    const step = newStep();
    form.change({ checklist: [...checklist.slice(0, index), step, ...checklist.slice(index)] });
    setToFocus({ id: step.id });
  }
  function removeAt(index: number): void {
    form.change({ checklist: checklist.filter((_, other) => other !== index) });
    setToFocus({ id: (checklist[index + 1] ?? checklist[index - 1])?.id });
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>, index: number): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      addAt(index + 1);
    } else if (event.key === 'Backspace' && event.currentTarget.value === '' && checklist.length > 1) {
      event.preventDefault();
      removeAt(index);
    }
  }

  return (
    <section className="template__part" aria-labelledby="template-steps">
      <h2 id="template-steps">Checklist</h2>
      <p className="field__hint">Each new project starts with these steps. Only staff see and tick them.</p>
      {checklist.length > 0 && (
        <ol className="template-steps">
          {checklist.map((step, index) => (
            <li className="template-steps__item" key={step.id}>
              <Step
                step={step}
                index={index}
                count={checklist.length}
                change={(text) =>
                  form.change({ checklist: checklist.map((one) => (one === step ? { ...step, text } : one)) })
                }
                move={(to) => form.change({ checklist: moved(checklist, index, to) })}
                remove={() => removeAt(index)}
                onKeyDown={(event) => onKeyDown(event, index)}
              />
            </li>
          ))}
        </ol>
      )}
      {checklist.length < templateLimits.checklist && (
        <p className="buttons">
          <button
            className="button button--quiet"
            type="button"
            ref={addButton}
            onClick={() => addAt(checklist.length)}
          >
            <Icon name="plus" />
            Add a step
          </button>
        </p>
      )}
    </section>
  );
}

interface StepProps {
  step: { id: string; text: string };
  index: number;
  count: number;
  change(text: string): void;
  move(to: number): void;
  remove(): void;
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
}

function Step({ step: { id, text }, index, count, change, move, remove, onKeyDown }: StepProps) {
  const name = text.trim() ? `‘${text.trim()}’` : `step ${index + 1}`;
  return (
    <>
      <input
        className="field__input"
        id={`step-${id}`}
        type="text"
        dir="auto"
        aria-label={`Step ${index + 1}`}
        maxLength={300}
        value={text}
        onChange={({ target }) => change(target.value)}
        onKeyDown={onKeyDown}
      />
      <ReorderButtons name={name} index={index} count={count} move={move} />
      <button className="icon-button" type="button" onClick={remove}>
        <Icon name="close" />
        <span className="visually-hidden">Remove {name}</span>
      </button>
    </>
  );
}
