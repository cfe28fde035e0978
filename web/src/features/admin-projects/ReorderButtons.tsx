import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../components/Icon.js';

type Step = -1 | 1;

interface ReorderButtonsProps {
  /** What is moved. */
  name: string;
  index: number;
  count: number;
  move(to: number): void;
}

/** Moves an item of a list by one place. The pressed button keeps the focus. */
export function ReorderButtons({ name, index, count, move }: ReorderButtonsProps) {
  const [pressed, setPressed] = useState<Step>();
  const button = (step: Step) => (
    <ReorderButton
      text={`Move ${name} ${step < 0 ? 'up' : 'down'}`}
      step={step}
      index={index}
      canMove={index + step >= 0 && index + step < count}
      isPressed={pressed === step}
      press={() => {
        setPressed(step);
        move(index + step);
      }}
    />
  );
  return (
    <span className="record__moves">
      {button(-1)}
      {button(1)}
      <span className="visually-hidden" role="status">
        {pressed && `Number ${index + 1} of ${count}`}
      </span>
    </span>
  );
}

interface ReorderButtonProps {
  text: string;
  step: Step;
  index: number;
  canMove: boolean;
  isPressed: boolean;
  press(): void;
}

function ReorderButton({ text, step, index, canMove, isPressed, press }: ReorderButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The browser drops the focus when React moves the item in the DOM.
    if (isPressed && document.activeElement === document.body) button.current?.focus();
    // Only when the item has moved: otherwise the button would take the focus back after a click elsewhere.
  }, [index, isPressed]);
  return (
    <button
      className={`icon-button ${step < 0 ? 'icon-button--up' : ''}`}
      type="button"
      ref={button}
      // Not disabled, because a disabled button would lose the focus at the end of the list.
      aria-disabled={!canMove}
      onClick={() => canMove && press()}
    >
      <Icon name="down" />
      <span className="visually-hidden">{text}</span>
    </button>
  );
}
