import { paymentProvider, type PlanSubscription } from '#libs/contracts';

interface PaymentMethodLinkProps {
  plan: PlanSubscription;
  isMain?: boolean;
}

export function PaymentMethodLink({ plan, isMain = false }: PaymentMethodLinkProps) {
  if (plan.state === 'ended' || plan.state === 'pending' || !plan.paymentMethodUrl) return null;
  return (
    <a
      className={isMain ? 'button' : 'button button--quiet'}
      href={plan.paymentMethodUrl}
      target="_blank"
      rel="noopener"
    >
      Change payment method
      <span className="visually-hidden"> at {paymentProvider.label} (opens in a new tab)</span>
    </a>
  );
}
