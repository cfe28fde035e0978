import { Link } from 'react-router-dom';
import { Empty } from '../../workspace/Empty.js';
import { AdminScreen } from './AdminScreen.js';

/** The address looks like an admin screen's, and is none. */
export function NoSuchScreen() {
  return (
    <AdminScreen title="Not found" tab="Not found">
      <Empty
        title="Page not found"
        action={
          <Link className="button" to="/setting">
            All settings
          </Link>
        }
      />
    </AdminScreen>
  );
}
