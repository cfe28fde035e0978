// Supervises two replicas that listen on one port through node:cluster, as in `npm start`. Sends the port; restarts a replica on each message.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

cluster.setupPrimary({ exec: fileURLToPath(new URL('shared-port-worker.mjs', import.meta.url)) });

async function start() {
  const worker = cluster.fork();
  const [{ port }] = await once(worker, 'listening');
  return { worker, port };
}

const replicas = [await start(), await start()];
async function restart() {
  const { worker } = replicas.shift();
  const ended = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  // Blocks this process for 300 ms: a busy supervisor does not know yet that the replica has stopped listening, and hands connections over to it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  await ended;
  replicas.push(await start());
  process.send('restarted');
}

process.on('message', () => void restart());
process.on('disconnect', () => process.exit());
process.send({ port: replicas[0].port });
