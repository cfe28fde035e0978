import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/**
 * The bytes of memory that this process uses after a garbage collection. The size of the whole process says less: V8 and the allocator give
 * memory back at times that depend on the machine and its load.
 */
export async function memoryInUse() {
  // More than one round, because what finalizers release becomes garbage only after a collection.
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
