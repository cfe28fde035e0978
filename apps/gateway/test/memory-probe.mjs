// Loaded into a process under test (`node --import`): answers each message of its parent with the memory that is in use.
import { memoryInUse } from './memory-in-use.mjs';

const answer = async () => process.send({ usedBytes: await memoryInUse() });
process.on('message', () => void answer());
// The open channel alone must not keep the process running.
process.channel?.unref();
