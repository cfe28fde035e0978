import { CreateEntries1763600200000 } from './1763600200000-create-entries.js';
import { IndexRemovals1763700200000 } from './1763700200000-index-removals.js';

/** In the order they run. */
export const contentMigrations = [CreateEntries1763600200000, IndexRemovals1763700200000];
