import { describeFlood } from './flood.harness.js';

// `flood.full.spec.ts` sends each header and 10,000 requests on a connection to every kind of path.
const crowded = ['a public page', 'a call that asks a service'];

describeFlood({ oneIn: 20, requestsFor: (kind) => (crowded.includes(kind) ? 2_000 : 100) });
