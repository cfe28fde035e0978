import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { ProjectState } from '../../../workspace/projects/ProjectState.js';
import { DueDate } from '../DueDate.js';
import { Labels } from '../Labels.js';
import { peopleText } from '../words.js';
import { DueDateForm, LabelsForm, PeopleForm, TitleForm } from './fact-forms.js';

export function ProjectFacts({ project }: { project: StaffProject }) {
  const { state, labels, title } = project;
  return (
    <dl className="project-facts">
      <div>
        <dt>State</dt>
        <dd>
          <ProjectState state={state} side="staff" />
        </dd>
      </div>
      <Fact project={project} name="Due date" value={<DueDate project={project} />} Form={DueDateForm} />
      <Fact project={project} name="People" value={peopleText(project)} Form={PeopleForm} />
      <Fact
        project={project}
        name="Labels"
        value={labels.length > 0 ? <Labels labels={labels} /> : <span className="project-none">None</span>}
        Form={LabelsForm}
      />
      <Fact project={project} name="Title" value={title} Form={TitleForm} />
    </dl>
  );
}

interface FactProps {
  project: StaffProject;
  name: string;
  value: ReactNode;
  Form: ComponentType<{ project: StaffProject; close(): void }>;
}

function Fact({ project, name, value, Form }: FactProps) {
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  function close(): void {
    setEditing(false);
    // In the next frame, because the form has replaced the button until then.
    requestAnimationFrame(() => button.current?.focus());
  }
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {editing ? (
          <Form project={project} close={close} />
        ) : (
          <span className="project-facts__value">
            {value}
            <button
              className="button button--plain"
              type="button"
              ref={button}
              onClick={() => setEditing(true)}
            >
              Change<span className="visually-hidden"> {name.toLowerCase()}</span>
            </button>
          </span>
        )}
      </dd>
    </div>
  );
}
