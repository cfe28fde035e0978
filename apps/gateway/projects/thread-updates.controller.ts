import { type OperationInputs, threadUpdateOperations } from '#libs/contracts';
import { type Context, Serves } from '../routing/serves.js';
import { ThreadStreams } from './thread-streams.js';

type Input = OperationInputs<typeof threadUpdateOperations>;

@Serves(threadUpdateOperations)
export class ThreadUpdatesController {
  constructor(private readonly streams: ThreadStreams) {}

  followThread({ id, after }: Input['followThread'], context: Context): Promise<void> {
    return this.streams.open({ projectId: id, asStaff: false, after }, context);
  }

  followStaffThread({ id, after }: Input['followStaffThread'], context: Context): Promise<void> {
    return this.streams.open({ projectId: id, asStaff: true, after }, context);
  }
}
