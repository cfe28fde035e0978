import type { ProjectState as State } from '#libs/contracts';
import { Status } from '../Status.js';
import { stateWord } from './words.js';

interface ProjectStateProps {
  state: State;
  /** The side that reads it. */
  side: 'customer' | 'staff';
}

/** The state of a project as a word. */
export function ProjectState({ state, side }: ProjectStateProps) {
  const { tone, text } = stateWord(state, side);
  return <Status tone={tone}>{text}</Status>;
}
