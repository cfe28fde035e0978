import { Link } from 'react-router-dom';
import { Empty } from '../../workspace/Empty.js';
import { AdminScreen } from './AdminScreen.js';

/** For an address where a content screen could be but is not, such as `/setting/unknown`. */
export function NoSuchScreen() {
  return (
    <AdminScreen title="Not found" tabTitle="Not found">
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
