import type { ReactNode } from 'react';
import { Ladder } from './Ladder.js';

/** The head of a page that does not start with a picture: its `<h1>`, a sentence, and the ladder. */
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
