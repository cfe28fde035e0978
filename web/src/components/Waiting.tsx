import { Ladder } from './Ladder.js';

/** Shown while a screen's data is loading. */
export function Waiting() {
  return (
    <div className="waiting wrap">
      <Ladder form="loading" />
      <p className="visually-hidden" role="status">
        Loading
      </p>
    </div>
  );
}
