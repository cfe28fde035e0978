import { useState } from 'react';
import { MoveButton, type MoveStep } from '../../workspace/MoveButton.js';

interface ReorderButtonsProps {
  name: string;
  index: number;
  count: number;
  move(to: number): void;
}

export function ReorderButtons({ name, index, count, move }: ReorderButtonsProps) {
  const [moved, setMoved] = useState(false);
  const button = (step: MoveStep) => (
    <MoveButton
      text={`Move ${name} ${step < 0 ? 'up' : 'down'}`}
      step={step}
      canMove={index + step >= 0 && index + step < count}
      move={() => {
        setMoved(true);
        move(index + step);
      }}
    />
  );
  return (
    <span className="record__moves">
      {button(-1)}
      {button(1)}
      <span className="visually-hidden" role="status">
        {moved && `Number ${index + 1} of ${count}`}
      </span>
    </span>
  );
}
