import { describeFlood } from './flood.harness.js';

describeFlood({ oneIn: 1, requestsFor: () => 10_000 });
