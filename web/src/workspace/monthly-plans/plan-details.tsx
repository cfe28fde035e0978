import type { ReactNode } from 'react';
import type { PlanSubscription } from '#libs/contracts';
import { money } from '../../lib/money.js';
import { StatusWord } from '../orders/StatusWord.js';
import { When } from '../When.js';
import { planStates, plusTax } from './words.js';

type Details = readonly (readonly [name: string, value: ReactNode])[];

export function planDetails(plan: PlanSubscription): Details {
  const { change } = plan;
  return [
    ['Status', <StatusWord status={planStates[plan.state]} />],
    ['Price', `${money(plan.price)} a month${plusTax(plan)}`],
    [
      'Next charge',
      plan.nextChargeAt ? (
        <>
          {money(plan.nextChargeAmount ?? plan.price)} on <When at={plan.nextChargeAt} />
        </>
      ) : (
        'None'
      ),
    ],
    [
      'Change',
      change ? (
        <>
          {change.packageName} for {money(change.price)} a month{plusTax(plan)}, from{' '}
          <When at={change.appliesFrom} />
          {change.state === 'announced' && ', not approved yet'}
        </>
      ) : undefined,
    ],
    ['Amount due', plan.outstanding ? money(plan.outstanding) : undefined],
    ['Past due since', optionalDate(plan.pastDueSince)],
    ['Service until', optionalDate(plan.state === 'past_due' ? plan.graceEndsAt : plan.endsOn)],
    ['Next attempt', optionalDate(plan.retryAt)],
    ['Paid until', optionalDate(plan.paidUntil)],
    ['Started', <When at={plan.startedAt} />],
    ['Ended', optionalDate(plan.endedAt)],
  ];
}

const optionalDate = (at: string | null) => (at ? <When at={at} /> : undefined);
