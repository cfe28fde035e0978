import './order-layout.css';
import type { ReactNode } from 'react';
import { formatOrderNumber, type Order } from '#libs/contracts';
import { useTabTitle } from '../../lib/tab-title.js';

const steps = ['Order', 'Pay', 'Confirmation'] as const;

interface OrderLayoutProps {
  step: (typeof steps)[number];
  title: string;
  order?: Order | undefined;
  lead?: ReactNode;
  /** Beside the main column in wide windows, below it in narrow ones. */
  aside?: ReactNode;
  children: ReactNode;
}

export function OrderLayout({ step, title, order, lead, aside, children }: OrderLayoutProps) {
  const current = steps.indexOf(step);
  useTabTitle(order ? `Order ${formatOrderNumber(order)}: ${title}` : title);
  return (
    <div className="order-layout wrap">
      <ol className="order-layout__steps" aria-label="Steps of an order">
        {steps.map((name, index) => (
          <li
            key={name}
            className={index < current ? 'order-layout__step order-layout__step--done' : 'order-layout__step'}
            aria-current={index === current ? 'step' : undefined}
          >
            {name}
          </li>
        ))}
      </ol>
      <div className={aside ? 'order-layout__columns' : undefined}>
        <div className="order-layout__main">
          <h1 id="order-title">{title}</h1>
          {lead && <p className="lead">{lead}</p>}
          {children}
        </div>
        {aside && <aside className="order-layout__aside">{aside}</aside>}
      </div>
    </div>
  );
}
