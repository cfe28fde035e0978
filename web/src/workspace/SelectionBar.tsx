import { type ReactNode, useEffect, useRef } from 'react';
import { count } from './formats.js';
import type { Selection } from './selection.js';

interface SelectionBarProps {
  /** Of which table. */
  caption: string;
  selection: Selection;
  /** What can be done with the chosen rows; shown while there are some. */
  children: ReactNode;
}

/** Chooses all rows of the page or none, says how many are chosen, and offers what can be done with them. */
export function SelectionBar({ caption, selection, children }: SelectionBarProps) {
  const box = useRef<HTMLInputElement>(null);
  const chosen = selection.ids.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && !selection.all;
  });
  return (
    <div className="selection-bar" role="group" aria-label={`Selected rows in ${caption}`}>
      <label className="selection-bar__page">
        <input
          id={selection.boxId}
          ref={box}
          type="checkbox"
          checked={selection.all}
          onChange={selection.toggleAll}
        />
        Select page
      </label>
      <span role="status">{chosen > 0 && `${count(chosen)} selected`}</span>
      <div className="selection-bar__actions" hidden={chosen === 0}>
        {children}
      </div>
    </div>
  );
}
