import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { ProjectState } from '../../../workspace/projects/ProjectState.js';
import { DueDate } from '../DueDate.js';
import { Labels } from '../Labels.js';
import { assigneesText } from '../words.js';
import { AssigneesForm, DueDateForm, LabelsForm, TitleForm } from './detail-forms.js';

export function ProjectDetails({ project }: { project: StaffProject }) {
  const { state, labels, title } = project;
  return (
    <dl className="project-details">
      <div>
        <dt>State</dt>
        <dd>
          <ProjectState state={state} side="staff" />
        </dd>
      </div>
      <Detail project={project} name="Due date" value={<DueDate project={project} />} Form={DueDateForm} />
      <Detail project={project} name="People" value={assigneesText(project)} Form={AssigneesForm} />
      <Detail
        project={project}
        name="Labels"
        value={labels.length > 0 ? <Labels labels={labels} /> : <span className="project-none">None</span>}
        Form={LabelsForm}
      />
      <Detail project={project} name="Title" value={title} Form={TitleForm} />
    </dl>
  );
}

interface DetailProps {
  project: StaffProject;
  name: string;
  value: ReactNode;
  Form: ComponentType<{ project: StaffProject; close(): void }>;
}

function Detail({ project, name, value, Form }: DetailProps) {
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
          <span className="project-details__value">
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
