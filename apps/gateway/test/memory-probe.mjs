// Loaded into a process under test (`node --import`). It answers each message of the parent with the memory in use.
import { memoryInUse } from './memory-in-use.mjs';

const answer = async () => process.send({ usedBytes: await memoryInUse() });
process.on('message', () => void answer());
// The open channel alone must not keep the process running.
process.channel?.unref();
