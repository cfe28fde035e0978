import type { StaffProject } from '#libs/contracts';
import { Loaded } from '../../../workspace/Loaded.js';
import { FileList } from '../../../workspace/projects/FileList.js';
import { useQuery } from '../../../workspace/query.js';

export function ProjectFiles({ project }: { project: StaffProject }) {
  const files = useQuery('GET /staff-project/:id/files', { params: { id: project._id } });
  return (
    <section className="panel project-panel" aria-labelledby="project-files">
      <h2 id="project-files">Files</h2>
      <Loaded query={files}>
        {(all) => {
          const hidden = all.filter((file) => file.hidden);
          return (
            <>
              {all.length === 0 && (
                <p className="field__hint">
                  No files yet. Files from messages, the brief and deliveries appear here.
                </p>
              )}
              <FileList
                files={all.filter((file) => !file.hidden)}
                label="Files that the customer can see"
                detailed
              />
              {hidden.length > 0 && (
                <div className="project-staff-files">
                  <h3>Only staff see these</h3>
                  <FileList files={hidden} label="Files in notes" detailed />
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
