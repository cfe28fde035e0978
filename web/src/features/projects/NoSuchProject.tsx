import { Link } from 'react-router-dom';
import { Empty } from '../../workspace/Empty.js';

export function NoSuchProject() {
  return (
    <Empty
      title="Project not found"
      action={
        <Link className="button" to="/projects">
          Projects
        </Link>
      }
    >
      It may belong to a different account.
    </Empty>
  );
}
