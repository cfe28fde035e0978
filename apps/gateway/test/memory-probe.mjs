// Loaded into a process under test (`node --import`): answers each message of its parent with the memory that is in use after a garbage
// collection. The size of the whole process says less: V8 and the allocator give memory back at times that depend on the machine and its load.
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

async function answer() {
  // More than one round, because what finalizers release becomes garbage only after a collection.
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send({ usedBytes: heapUsed + external });
}

process.on('message', () => void answer());
// The open channel alone must not keep the process running.
process.channel?.unref();
