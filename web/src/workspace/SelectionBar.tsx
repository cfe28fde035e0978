import { type ReactNode, useEffect, useRef } from 'react';
import { formatNumber } from './formats.js';
import type { Selection } from './selection.js';

interface SelectionBarProps {
  /** The table's caption. */
  caption: string;
  selection: Selection;
  /** The bulk actions; shown while rows are selected. */
  children: ReactNode;
}

export function SelectionBar({ caption, selection, children }: SelectionBarProps) {
  const box = useRef<HTMLInputElement>(null);
  const selectedCount = selection.ids.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = selectedCount > 0 && !selection.allSelected;
  });
  return (
    <div className="selection-bar" role="group" aria-label={`Selected rows in ${caption}`}>
      <label className="selection-bar__page">
        <input
          id={selection.boxId}
          ref={box}
          type="checkbox"
          checked={selection.allSelected}
          onChange={selection.toggleAll}
        />
        Select all on this page
      </label>
      <span role="status">{selectedCount > 0 && `${formatNumber(selectedCount)} selected`}</span>
      <div className="selection-bar__actions" hidden={selectedCount === 0}>
        {children}
      </div>
    </div>
  );
}
