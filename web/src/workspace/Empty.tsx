import type { ReactNode } from 'react';
import { Ladder } from '../components/Ladder.js';

interface EmptyProps {
  /** What goes here. */
  title: string;
  /** When it comes, or how. */
  children?: ReactNode;
  /** The one next step. */
  action?: ReactNode;
}

/** Where there is nothing yet: what will be here, and what to do next. */
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
