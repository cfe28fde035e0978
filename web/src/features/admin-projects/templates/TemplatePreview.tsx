import { useState } from 'react';
import type { BriefAnswers } from '#libs/contracts';
import { BriefFields } from '../../../workspace/projects/BriefFields.js';
import { MessageText } from '../../../workspace/projects/MessageText.js';
import { templateOf, type TemplateValues } from './template-values.js';

/** What the customer sees after paying. The form can be tried out; nothing is saved. */
export function TemplatePreview({ values }: { values: TemplateValues }) {
  const [answers, setAnswers] = useState<BriefAnswers>({});
  const { questions, introduction, welcome } = templateOf(values);
  // While somebody is typing, questions may lack a text, and options may be duplicates.
  const shown = questions
    .filter(({ label }) => label !== '')
    .map((question) => ({ ...question, options: [...new Set(question.options)] }));
  return (
    <section className="preview template__preview" aria-labelledby="template-preview">
      <div>
        <h2 id="template-preview">What the customer sees</h2>
        <p className="field__hint">Try it out. Answers aren’t saved.</p>
      </div>
      <div className="template__paper">
        {welcome && (
          <div className="template__welcome">
            <p className="field__hint">First message</p>
            <MessageText text={welcome} />
          </div>
        )}
        {shown.length > 0 ? (
          <div className="form">
            {introduction && <p className="template__introduction">{introduction}</p>}
            <BriefFields
              questions={shown}
              answers={answers}
              files={[]}
              change={(question, answer) => setAnswers((before) => ({ ...before, [question]: answer }))}
            />
          </div>
        ) : (
          <p className="field__hint">No questions. Work begins right after payment.</p>
        )}
      </div>
    </section>
  );
}
