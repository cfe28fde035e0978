import { useEffect, useRef, useState } from 'react';
import type { PlanSubscription, TimeMachine as Clock } from '#libs/contracts';
import { FormProblem } from '../../../components/FormProblem.js';
import { callApi, type Problem } from '../../../lib/api.js';
import { newIdempotencyKey } from '../../../lib/form.js';
import { useQuery, useRefetch } from '../../../workspace/query.js';
import { When } from '../../../workspace/When.js';
import { daysUntilSameDayNextMonth, daysUntil } from './days-ahead.js';

/** Renders nothing where payments are not simulated. */
export function TimeMachine({ plan }: { plan: PlanSubscription }) {
  const clock = useQuery('GET /time-machine');
  return clock.data ? <Panel plan={plan} clock={clock.data} /> : null;
}

function Panel({ plan, clock }: { plan: PlanSubscription; clock: Clock }) {
  const { advance, stop, progress, now, problem } = useAdvance(plan._id, clock);
  const firstButton = useRef<HTMLButtonElement>(null);
  const stopButton = useRef<HTMLButtonElement>(null);
  const isMoving = progress !== undefined;
  const wasMoving = useRef(false);
  // The Stop button and the other buttons replace each other, and the focus follows.
  useEffect(() => {
    if (isMoving) stopButton.current?.focus();
    else if (wasMoving.current) firstButton.current?.focus();
    wasMoving.current = isMoving;
  }, [isMoving]);
  const nextCharge = nextChargeOf(plan);
  const choices = [
    ['Advance 1 day', 1],
    ['Advance 1 week', 7],
    ['Advance to the next charge', nextCharge ? daysUntil(now, nextCharge) : 0],
    ['Advance 1 month', daysUntilSameDayNextMonth(now)],
  ] as const;
  return (
    <section className="time-machine" aria-labelledby="time-machine">
      <h2 id="time-machine">Time machine</h2>
      <p>
        Payments are simulated. The billing clock shows <When at={now} time />. It moves for all plans and
        can’t be moved back.
      </p>
      {isMoving ? (
        <>
          <progress max={progress.days} value={progress.done} aria-label="Days advanced" />
          <button className="button button--quiet" type="button" ref={stopButton} onClick={stop}>
            Stop
          </button>
        </>
      ) : (
        <div className="plan-actions">
          {choices.map(
            ([text, days], index) =>
              days > 0 && (
                <button
                  key={text}
                  className="button button--quiet"
                  type="button"
                  ref={index === 0 ? firstButton : undefined}
                  onClick={() => void advance(days)}
                >
                  {text}
                </button>
              ),
          )}
        </div>
      )}
      <p role="status">
        {isMoving && `Day ${Math.min(progress.done + 1, progress.days)} of ${progress.days}`}
      </p>
      <FormProblem problem={problem} />
    </section>
  );
}

/** The next charge, or the next attempt of a failed one, whichever comes first. */
const nextChargeOf = ({ nextChargeAt, retryAt }: PlanSubscription): string | undefined =>
  [nextChargeAt, retryAt].filter((at) => at !== null).sort()[0];

const polling = { waitMs: 500, attempts: 20 };

/**
 * Waits while a charge of the plan is due, because the service may still be recording it. Gives up after about ten seconds, if a read fails, or when
 * `signal` is aborted.
 */
async function waitUntilCharged(id: string, now: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < polling.attempts && !signal.aborted; attempt += 1) {
    const answer = await callApi('GET /plan-subscription/:id', { params: { id } });
    const due = answer.ok && nextChargeOf(answer.value);
    if (!due || due > now) return;
    await new Promise((done) => setTimeout(done, polling.waitMs));
  }
}

interface Progress {
  /** The number of days that have been advanced. */
  done: number;
  days: number;
}

/**
 * Advances one day at a time, until all days are done, the admin presses Stop, a call fails, or the screen is left. Then waits until the service has
 * recorded a charge of these days, and shows it. If all days were advanced, the progress is shown until then.
 */
function useAdvance(planId: string, { now: fetchedNow }: Clock) {
  const refetch = useRefetch();
  const [progress, setProgress] = useState<Progress>();
  const [advancedTo, setAdvancedTo] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  /** No further day is to be advanced: the admin has pressed Stop, a call has failed, or the screen was left. */
  const isStopped = useRef(false);
  /** Ends an advance’s wait for the charge when the screen is left or the next advance begins. */
  const waiting = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      isStopped.current = true;
      waiting.current?.abort();
    },
    [],
  );
  const now = advancedTo ?? fetchedNow;

  async function advance(days: number): Promise<void> {
    waiting.current?.abort();
    waiting.current = new AbortController();
    const { signal } = waiting.current;
    isStopped.current = false;
    setProblem(undefined);
    setProgress({ done: 0, days });
    let reached = now;
    for (let done = 1; done <= days && !isStopped.current; done += 1) {
      const answer = await callApi('POST /time-machine', { idempotencyKey: newIdempotencyKey() });
      if (answer.ok) {
        reached = answer.value.now;
        setAdvancedTo(reached);
        setProgress({ done, days });
      } else {
        setProblem(answer.problem);
        isStopped.current = true;
      }
    }
    if (isStopped.current) setProgress(undefined);
    await waitUntilCharged(planId, reached, signal);
    await refetch();
    if (signal.aborted) return;
    setAdvancedTo(undefined);
    setProgress(undefined);
  }

  function stop(): void {
    isStopped.current = true;
    // Once all days are advanced, only the wait for the charge is left. Before that, `advance` removes the progress after the call’s answer.
    setProgress((shown) => (shown?.done === shown?.days ? undefined : shown));
  }

  return { advance, stop, progress, problem, now };
}
