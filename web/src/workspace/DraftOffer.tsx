import { useEffect } from 'react';
import { focusContentIfFocusIsLost } from './focus-content.js';
import { When } from './When.js';

interface OfferedDraft {
  /** ISO 8601. */
  savedAt: string;
  restore(): void;
  discard(): void;
}

export function DraftOffer({ draft }: { draft: OfferedDraft }) {
  // The focused button disappears with the offer.
  useEffect(() => focusContentIfFocusIsLost, []);
  return (
    <div className="attention" role="status">
      <p>
        You have an unsaved draft from <When at={draft.savedAt} time />.
      </p>
      <div className="buttons">
        <button className="button" type="button" onClick={draft.restore}>
          Restore draft
        </button>
        <button className="button button--quiet" type="button" onClick={draft.discard}>
          Discard draft
        </button>
      </div>
    </div>
  );
}
