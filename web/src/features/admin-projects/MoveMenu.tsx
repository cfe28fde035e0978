import { type MouseEvent, useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { Disclosure } from '../../components/Disclosure.js';
import { focusContentIfFocusIsLost } from '../../workspace/focus-content.js';
import { MoveDialog } from './MoveDialog.js';
import { type Move, movesFrom } from './state-moves.js';
import { useMove } from './use-move.js';
import { projectNumber } from './words.js';

export function MoveMenu({ project }: { project: StaffProject }) {
  const [dialogMove, setDialogMove] = useState<Move>();
  const { move, moving, problem } = useMove(project);
  function choose(chosen: Move, { currentTarget }: MouseEvent): void {
    const menu = currentTarget.closest('details');
    menu?.removeAttribute('open');
    // The pressed button is hidden now. A dialog gives the focus back to where it was.
    menu?.querySelector('summary')?.focus();
    if (chosen.withReason) setDialogMove(chosen);
    else void move(chosen.to).then(focusContentIfFocusIsLost);
  }
  return (
    <>
      <Disclosure
        className="move-menu"
        buttonClassName="move-menu__button"
        button={
          <>
            {moving ? 'Moving' : 'Move'}
            <span className="visually-hidden">
              {' '}
              {project.title} {projectNumber(project)}
            </span>
          </>
        }
      >
        <ul className="move-menu__list">
          {movesFrom(project.state).map((one) => (
            <li key={one.to}>
              <button type="button" onClick={(event) => choose(one, event)}>
                {one.text}
              </button>
            </li>
          ))}
        </ul>
      </Disclosure>
      {problem && (
        <p className="field__error project-card__problem" role="alert">
          {problem.sentence}
        </p>
      )}
      {dialogMove && (
        <MoveDialog project={project} move={dialogMove} close={() => setDialogMove(undefined)} />
      )}
    </>
  );
}
