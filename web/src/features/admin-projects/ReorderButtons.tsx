import { useState } from 'react';
import { MoveButton, type MoveStep } from '../../workspace/MoveButton.js';

interface ReorderButtonsProps {
  name: string;
  index: number;
  count: number;
  move(to: number): void;
}

export function ReorderButtons({ name, index, count, move }: ReorderButtonsProps) {
  // A later move of another item may change this item’s place, too. That is announced only if this item returns to the place it was moved to.
  const [movedTo, setMovedTo] = useState<number>();
  const button = (step: MoveStep) => (
    <MoveButton
      text={`Move ${name} ${step < 0 ? 'up' : 'down'}`}
      step={step}
      canMove={index + step >= 0 && index + step < count}
      move={() => {
        setMovedTo(index + step);
        move(index + step);
      }}
    />
  );
  return (
    <span className="record__moves">
      {button(-1)}
      {button(1)}
      <span className="visually-hidden" role="status">
        {movedTo === index && `Number ${index + 1} of ${count}`}
      </span>
    </span>
  );
}
