import { RequireSignIn } from '../../components/RequireSignIn.js';
import { Unbuilt } from './Unbuilt.js';

export function Component() {
  return <RequireSignIn admin>{() => <Unbuilt />}</RequireSignIn>;
}
