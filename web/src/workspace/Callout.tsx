import { type ReactNode, useId } from 'react';

interface CalloutProps {
  title: string;
  /** Whether it reports a fault that needs action. */
  isFault?: boolean;
  /** Buttons and links. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Says above a record what its state means and what to do. */
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
