import { focusContent } from './focus-content.js';

interface ShowAllProps {
  look: 'plain' | 'quiet';
  showAll(): void;
}

/** It disappears when it is used, so the content gets the focus. */
export function ShowAll({ look, showAll }: ShowAllProps) {
  return (
    <button
      className={`button button--${look}`}
      type="button"
      onClick={() => {
        showAll();
        focusContent();
      }}
    >
      Show all
    </button>
  );
}
