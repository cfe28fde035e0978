import type { ReactNode } from 'react';
import { Ladder } from '../components/Ladder.js';

interface EmptyProps {
  /** What is missing: 'No orders yet', 'Project not found'. */
  title: string;
  /** When it will appear, how to add it, or why it may be missing. */
  children?: ReactNode;
  action?: ReactNode;
}

/** For an empty list, or instead of a record that does not exist. */
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
