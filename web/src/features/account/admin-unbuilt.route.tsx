import { RequireAdmin } from '../../workspace/RequireAdmin.js';
import { Unbuilt } from './Unbuilt.js';

export function Component() {
  return <RequireAdmin>{() => <Unbuilt />}</RequireAdmin>;
}
