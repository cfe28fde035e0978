import type { ReactNode } from 'react';
import { Ladder } from '../components/Ladder.js';

interface EmptyProps {
  /** What will be here. */
  title: string;
  /** When it will appear, or how to add it. */
  children?: ReactNode;
  /** A button or link for the next step. */
  action?: ReactNode;
}

/** Shown for an empty list. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="empty-state">
      <Ladder form="gap" />
      <div>
        <p className="empty-state__title">{title}</p>
        {children && <p>{children}</p>}
        {action && <p className="buttons">{action}</p>}
      </div>
    </div>
  );
}
