import '../../workspace/choices.css';
import { useId } from 'react';
import { money } from '../../lib/money.js';

export type Renewal = 'once' | 'monthly';

interface RenewalChoiceProps {
  /** With added tax; undefined while that is not known. */
  total: string | undefined;
  /** Another total is being read. No amount is named meanwhile. */
  isOutdated: boolean;
  value: Renewal;
  change(value: Renewal): void;
}

/** Paying for one month, or every month until the customer cancels. */
export function RenewalChoice({ total, isOutdated, value, change }: RenewalChoiceProps) {
  const amount = isOutdated ? ' the total' : total === undefined ? '' : ` ${money(total)}`;
  const pay = `You pay${amount}`;
  const choices = [
    ['once', 'Pay for one month', `${pay} once. The plan doesn’t renew by itself.`],
    [
      'monthly',
      'Pay every month until you cancel',
      `${pay} today, and then every month on the same day. Cancel at any time: the plan continues until the end of the month you’ve paid for.`,
    ],
  ] as const;
  const id = useId();
  return (
    <fieldset className="choices">
      <legend>How you pay</legend>
      {choices.map(([choice, label, hint]) => (
        <div className="choices__option" key={choice}>
          <input
            type="radio"
            name="renewal"
            id={`${id}-${choice}`}
            value={choice}
            checked={choice === value}
            aria-describedby={`${id}-${choice}-hint`}
            onChange={() => change(choice)}
          />
          <label htmlFor={`${id}-${choice}`}>{label}</label>
          <p className="field__hint" id={`${id}-${choice}-hint`}>
            {hint}
          </p>
        </div>
      ))}
    </fieldset>
  );
}
