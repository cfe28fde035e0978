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
  /** Asks for confirmation first. `children` say what will happen. */
  confirmation?: { title: string; actionLabel: string; cancelLabel?: string; children: ReactNode };
  children: string;
}

/** Renders nothing if the action is not possible now. */
export function PlanButton(props: PlanButtonProps) {
  if (!props.plan.actions.includes(props.action)) return null;
  return props.confirmation ? (
    <ConfirmedButton {...props} confirmation={props.confirmation} />
  ) : (
    <DirectButton {...props} />
  );
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

function ConfirmedButton({
  plan,
  action,
  toast,
  isQuiet,
  confirmation,
  children,
}: PlanButtonProps & { confirmation: NonNullable<PlanButtonProps['confirmation']> }) {
  const act = usePlanAction(plan);
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <button className={classOf(isQuiet)} type="button" onClick={() => setConfirming(true)}>
        {children}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={confirmation.title}
          actionLabel={confirmation.actionLabel}
          cancelLabel={confirmation.cancelLabel}
          confirm={() => act(action, toast)}
          close={() => setConfirming(false)}
        >
          {confirmation.children}
        </ConfirmDialog>
      )}
    </>
  );
}
