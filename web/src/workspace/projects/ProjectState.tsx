import type { ProjectState as State } from '#libs/contracts';
import { Status } from '../Status.js';
import { stateWord } from './words.js';

interface ProjectStateProps {
  state: State;
  side: 'customer' | 'staff';
}

export function ProjectState({ state, side }: ProjectStateProps) {
  const { tone, text } = stateWord(state, side);
  return <Status tone={tone}>{text}</Status>;
}
