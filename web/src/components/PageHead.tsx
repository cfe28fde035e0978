import type { ReactNode } from 'react';
import { Ladder } from './Ladder.js';

/** The head of a page that does not open with a picture: its one `<h1>`, a sentence, the ladder beside them. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="page-head">
      <div className="page-head__row wrap">
        <div>
          <h1>{title}</h1>
          {children && <p className="lead">{children}</p>}
        </div>
        <Ladder form="small" />
      </div>
    </header>
  );
}
