import type { ProjectState as State } from '#libs/contracts';
import { Status } from '../Status.js';
import { projectStateText } from './words.js';

interface ProjectStateProps {
  state: State;
  side: 'customer' | 'staff';
}

export function ProjectState({ state, side }: ProjectStateProps) {
  const { tone, text } = projectStateText(state, side);
  return <Status tone={tone}>{text}</Status>;
}
