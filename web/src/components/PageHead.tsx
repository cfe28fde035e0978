import type { ReactNode } from 'react';
import { Ladder } from './Ladder.js';

export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="page-head">
      <div className="page-head__row wrap">
        <div>
          <h1>{title}</h1>
          {children && <p className="lead">{children}</p>}
        </div>
        <Ladder form="risen" />
      </div>
    </header>
  );
}
