import './checkout.css';
import type { ReactNode } from 'react';
import { type Order, orderNumber } from '#libs/contracts';
import { useTabTitle } from '../../lib/tab-title.js';

const steps = ['Order', 'Pay', 'Confirmation'] as const;

interface CheckoutProps {
  step: (typeof steps)[number];
  title: string;
  /** The order that the step is about, which the tab's title names. */
  order?: Order | undefined;
  lead?: ReactNode;
  /** Beside the main column on wide screens, below it on narrow ones. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The frame of the steps from choosing a plan to paying for it, without distractions. */
export function Checkout({ step, title, order, lead, aside, children }: CheckoutProps) {
  const current = steps.indexOf(step);
  useTabTitle(order ? `Order ${orderNumber(order)}: ${title}` : title);
  return (
    <div className="checkout wrap">
      <ol className="checkout__steps" aria-label="Steps of an order">
        {steps.map((name, index) => (
          <li
            key={name}
            className={index < current ? 'checkout__step checkout__step--done' : 'checkout__step'}
            aria-current={index === current ? 'step' : undefined}
          >
            {name}
          </li>
        ))}
      </ol>
      <div className={aside ? 'checkout__columns' : undefined}>
        <div className="checkout__main">
          <h1 id="checkout-title">{title}</h1>
          {lead && <p className="lead">{lead}</p>}
          {children}
        </div>
        {aside && <aside className="checkout__aside">{aside}</aside>}
      </div>
    </div>
  );
}
