import { useState } from 'react';
import type { ProjectFile } from '#libs/contracts';
import { focusContent } from '../../workspace/focus-content.js';
import { FileList } from '../../workspace/projects/FileList.js';
import type { Query } from '../../workspace/query.js';
import { Failure } from '../../workspace/Failure.js';

interface ProjectFilesProps {
  files: Query<ProjectFile[]>;
  /** All files if undefined. */
  initialCount: number | undefined;
}

export function ProjectFiles({ files, initialCount = Infinity }: ProjectFilesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const list = files.data ?? [];
  const restCount = list.length - initialCount;
  return (
    <section className="panel" aria-labelledby="project-files">
      <h2 id="project-files">Files</h2>
      <Failure query={files} />
      {files.data?.length === 0 && (
        <p className="quiet-text">Files from messages, answers and deliveries are collected here.</p>
      )}
      <FileList files={showsAll ? list : list.slice(0, initialCount)} label="Files of the project" detailed />
      {restCount > 0 && !showsAll && (
        <p>
          <button
            className="button button--plain"
            type="button"
            onClick={() => {
              setShowsAll(true);
              focusContent();
            }}
          >
            Show all {list.length} files
          </button>
        </p>
      )}
    </section>
  );
}
