import { useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { focusContentIfFocusIsLost } from '../../../workspace/focus-content.js';
import { MoveDialog } from '../MoveDialog.js';
import { canHandOver, type Move, movesFrom } from '../state-moves.js';
import { useMove } from '../use-move.js';
import { HandOverDialog } from './HandOverDialog.js';

export function ProjectActions({ project }: { project: StaffProject }) {
  const [handingOver, setHandingOver] = useState(false);
  const [dialogMove, setDialogMove] = useState<Move>();
  const { move, moving, problem } = useMove(project);
  const handOverAllowed = canHandOver(project);
  // Where work cannot be handed over, resuming it or reopening the project is the main action; starting without the brief never is.
  const isResumingMain = !handOverAllowed && project.state !== 'waiting_for_brief';
  return (
    <>
      {handOverAllowed && (
        <button className="button" type="button" onClick={() => setHandingOver(true)}>
          {project.state === 'delivered' ? 'Hand over a newer version…' : 'Hand over work…'}
        </button>
      )}
      {movesFrom(project.state).map((one) => (
        <button
          key={one.to}
          className={one.to === 'in_progress' && isResumingMain ? 'button' : 'button button--quiet'}
          type="button"
          aria-disabled={moving}
          onClick={() =>
            // The new state may have no such button.
            one.withReason ? setDialogMove(one) : void move(one.to).then(focusContentIfFocusIsLost)
          }
        >
          {one.text}
        </button>
      ))}
      {problem && (
        <p className="field__error" role="alert">
          {problem.sentence}
        </p>
      )}
      {handingOver && <HandOverDialog project={project} close={() => setHandingOver(false)} />}
      {dialogMove && (
        <MoveDialog project={project} move={dialogMove} close={() => setDialogMove(undefined)} />
      )}
    </>
  );
}
