import { CreateEntries1763600200000 } from './1763600200000-create-entries.js';
import { IndexRemovals1763700200000 } from './1763700200000-index-removals.js';
import { CreateImages1764300000000 } from './1764300000000-create-images.js';
import { UndoAndOrder1766100000000 } from './1766100000000-undo-and-order.js';
import { PostponedSetupSteps1770000100000 } from './1770000100000-postponed-setup-steps.js';

/** Migrations run in the order of the timestamps in their names, whatever the order of this list. */
export const contentMigrations = [
  CreateEntries1763600200000,
  IndexRemovals1763700200000,
  CreateImages1764300000000,
  UndoAndOrder1766100000000,
  PostponedSetupSteps1770000100000,
];
