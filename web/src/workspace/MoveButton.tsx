import { Icon } from '../components/Icon.js';

/** Towards the beginning of a list, or towards its end. */
export type MoveStep = -1 | 1;

interface MoveButtonProps {
  text: string;
  step: MoveStep;
  canMove: boolean;
  move(): void;
}

/** React keeps the focus on the button while it moves the item. */
export function MoveButton({ text, step, canMove, move }: MoveButtonProps) {
  return (
    <button
      className={`icon-button ${step < 0 ? 'icon-button--up' : ''}`}
      type="button"
      // A disabled button would lose the focus at either end of the list.
      aria-disabled={!canMove}
      onClick={() => canMove && move()}
    >
      <Icon name="down" />
      <span className="visually-hidden">{text}</span>
    </button>
  );
}
