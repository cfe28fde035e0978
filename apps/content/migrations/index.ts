import { CreateEntries1763600200000 } from './1763600200000-create-entries.js';

/** In the order they run. */
export const contentMigrations = [CreateEntries1763600200000];
