import { type ReactNode, useId } from 'react';

interface CalloutProps {
  title: string;
  isFault?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}

export function Callout({ title, isFault = false, actions, children }: CalloutProps) {
  const id = useId();
  return (
    <section className={isFault ? 'callout callout--fault' : 'callout'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      {actions && <div className="buttons">{actions}</div>}
    </section>
  );
}
