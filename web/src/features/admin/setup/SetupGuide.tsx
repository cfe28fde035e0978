import { useEffect, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SetupGuide as Guide } from '#libs/contracts';
import { Icon } from '../../../components/Icon.js';
import { FormProblem } from '../../../components/FormProblem.js';
import { callApi } from '../../../lib/api.js';
import { focusContentIfFocusIsLost } from '../../../workspace/focus-content.js';
import { useSave } from '../../../workspace/query.js';
import { RemoveDemoContentDialog } from './RemoveDemoContentDialog.js';
import { type GuideStep, setupSteps, stepAddressOf } from './setup-steps.js';

/** Each step is ticked automatically once it is done, and can be postponed. */
export function SetupGuide({ guide }: { guide: Guide }) {
  const { steps, demoRecords } = guide;
  const done = steps.filter(({ state }) => state === 'done').length;
  const [removing, setRemoving] = useState(false);
  useFocusAfterClosing();
  return (
    <section className="panel setup" aria-labelledby="setup-heading">
      <div className="setup__head">
        <h2 id="setup-heading">Set up your site</h2>
        <p role="status">
          {done} of {steps.length} done
        </p>
        <progress aria-label="Steps done" max={steps.length} value={done} />
      </div>
      <ol className="setup__steps">
        {steps.map((step) => (
          <StepItem key={step.step} step={step} />
        ))}
      </ol>
      <p className="setup__text">
        Optional: <Link to="/admin/invoices">issue invoices</Link> for payments, with or without tax.
      </p>
      {demoRecords > 0 && (
        <div className="setup__demo">
          <p>
            {demoRecords === 1 ? '1 part of your pages is' : `${demoRecords} parts of your pages are`} still
            demo content: text, pictures or prices that came with the site.
          </p>
          <button className="button button--quiet" type="button" onClick={() => setRemoving(true)}>
            Remove demo content from your pages
          </button>
        </div>
      )}
      {removing && <RemoveDemoContentDialog close={() => setRemoving(false)} />}
    </section>
  );
}

/** Postponing the last open step closes the guide and removes the focused button. */
function useFocusAfterClosing(): void {
  useEffect(() => focusContentIfFocusIsLost, []);
}

function stateWords({ state, section }: GuideStep): string {
  if (state === 'missing') return 'Not set yet';
  if (state === 'done') return 'Done';
  // A step without a section is about an e-mail address.
  return section ? 'Still demo content' : 'Still an example address';
}

function StepItem({ step }: { step: GuideStep }) {
  const { title, text } = setupSteps[step.step];
  const isDone = step.state === 'done';
  const isPostponed = step.postponed && !isDone;
  const titleId = useId();
  const { save, saving, problem } = useSave(async () => {
    const answer = await callApi('PUT /setup-guide', { body: { step: step.step, postponed: !isPostponed } });
    return answer.ok ? undefined : answer.problem;
  });
  const classes = ['setup__step', isDone && 'setup__step--done', isPostponed && 'setup__step--later'];
  return (
    <li className={classes.filter(Boolean).join(' ')}>
      <Icon name={isDone ? 'check' : 'arrow'} />
      <div>
        <Link id={titleId} to={stepAddressOf(step)}>
          {title}
        </Link>
        {!isDone && !isPostponed && <p className="setup__text">{text}</p>}
        <FormProblem problem={problem} />
      </div>
      <span className="setup__state">{isPostponed ? 'Postponed' : stateWords(step)}</span>
      {!isDone && (
        <button
          className="button button--plain"
          type="button"
          aria-describedby={titleId}
          aria-disabled={saving}
          onClick={() => void save()}
        >
          {isPostponed ? 'Bring back' : 'Later'}
        </button>
      )}
    </li>
  );
}
