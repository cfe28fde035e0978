import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/**
 * The bytes in use after a garbage collection. The size of the whole process says less: V8 and the allocator give memory back at unpredictable times.
 */
export async function memoryInUse() {
  // What finalizers release becomes garbage only after a collection.
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
