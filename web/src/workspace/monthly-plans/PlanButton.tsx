import { type ReactNode, useState } from 'react';
import type { PlanSubscription } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { ConfirmDialog } from '../ConfirmDialog.js';
import { useSave } from '../query.js';
import { type PlanAction, usePlanAction } from './plan-action.js';

interface PlanButtonProps {
  plan: PlanSubscription;
  action: PlanAction;
  toast: string;
  isQuiet?: boolean;
  /** Asks for confirmation first. `confirm` and `keep` are the labels of the buttons; `children` say what will happen. */
  ask?: { title: string; confirm: string; keep?: string; children: ReactNode };
  children: string;
}

/** Renders nothing if the action is not possible now. */
export function PlanButton(props: PlanButtonProps) {
  if (!props.plan.actions.includes(props.action)) return null;
  return props.ask ? <AskingButton {...props} ask={props.ask} /> : <DirectButton {...props} />;
}

const classOf = (isQuiet: boolean | undefined) => (isQuiet ? 'button button--quiet' : 'button');

function DirectButton({ plan, action, toast, isQuiet, children }: PlanButtonProps) {
  const act = usePlanAction(plan);
  const { save, saving, problem } = useSave(() => act(action, toast));
  return (
    <>
      <button className={classOf(isQuiet)} type="button" aria-disabled={saving} onClick={() => void save()}>
        {saving ? 'One moment' : children}
      </button>
      <FormProblem problem={problem} />
    </>
  );
}

function AskingButton({
  plan,
  action,
  toast,
  isQuiet,
  ask,
  children,
}: PlanButtonProps & { ask: NonNullable<PlanButtonProps['ask']> }) {
  const act = usePlanAction(plan);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button className={classOf(isQuiet)} type="button" onClick={() => setAsking(true)}>
        {children}
      </button>
      {asking && (
        <ConfirmDialog
          title={ask.title}
          action={ask.confirm}
          cancel={ask.keep}
          confirm={() => act(action, toast)}
          close={() => setAsking(false)}
        >
          {ask.children}
        </ConfirmDialog>
      )}
    </>
  );
}
