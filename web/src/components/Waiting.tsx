import { Ladder } from './Ladder.js';

/** Stands in for a screen whose data is on its way. */
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
