// Measures a round trip through the transport, and the effect of a second replica.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { visitor } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { startRedis } from '../dev/embedded/redis.js';
import type { Row } from './row.js';
import { echo, spin } from './transport-contracts.js';

const seconds = 3;
const inFlight = 64;

export async function run(): Promise<Row[]> {
  const redis = await startRedis();
  const client = new RpcClient({ redisUrl: redis.url, caller: 'bench' });
  const replicas: Replica[] = [];
  try {
    await client.connect();
    replicas.push(await startReplica(redis.url));
    const callEcho = () => client.call(echo, { text: 'x'.repeat(100) }, { actor: visitor });
    const callSpin = () => client.call(spin, { ms: 2 }, { actor: visitor });
    // Warms the replica up. The second one is warmed up below.
    await measureRate(callEcho, 1);
    const replicaBefore = await replicas[0]!.cpuMs();
    const callerBefore = process.cpuUsage();
    const echoRate = await measureRate(callEcho, seconds);
    const callerMs = cpuMs(process.cpuUsage(callerBefore));
    const replicaMs = (await replicas[0]!.cpuMs()) - replicaBefore;
    const rateOfOne = await measureRate(callSpin, seconds);
    replicas.push(await startReplica(redis.url));
    await measureRate(callSpin, 1);
    const rateOfTwo = await measureRate(callSpin, seconds);
    const perCall = (ms: number) => Math.round((ms * 1000) / (echoRate * seconds));
    return [
      {
        name: 'transport: round trips, 1 replica',
        value: Math.round(echoRate),
        unit: '/s',
        note: `${inFlight} in flight`,
      },
      { name: 'transport: CPU per round trip, replica', value: perCall(replicaMs), unit: 'µs' },
      { name: 'transport: CPU per round trip, caller', value: perCall(callerMs), unit: 'µs' },
      { name: 'transport: 2 ms CPU handler, 1 replica', value: Math.round(rateOfOne), unit: '/s' },
      { name: 'transport: 2 ms CPU handler, 2 replicas', value: Math.round(rateOfTwo), unit: '/s' },
      {
        name: 'transport: 2 replicas against 1',
        value: Number((rateOfTwo / rateOfOne).toFixed(2)),
        unit: '×',
      },
    ];
  } finally {
    await client.close();
    await Promise.all(replicas.map((replica) => replica.stop()));
    await redis.stop();
  }
}

/** Keeps `inFlight` calls running for this time. Returns how many were answered per second. */
async function measureRate(call: () => Promise<unknown>, forSeconds: number): Promise<number> {
  const started = performance.now();
  const end = started + forSeconds * 1000;
  let done = 0;
  const callUntilEnd = async () => {
    while (performance.now() < end) {
      await call();
      done++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, callUntilEnd));
  return (done * 1000) / (performance.now() - started);
}

interface Replica {
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

async function startReplica(redisUrl: string): Promise<Replica> {
  const unbuilt = import.meta.url.endsWith('.ts');
  const child: ChildProcess = fork(
    fileURLToPath(new URL(unbuilt ? './transport-replica.ts' : './transport-replica.js', import.meta.url)),
    [redisUrl],
    { execArgv: unbuilt ? ['--import', new URL('../dev/tools/register-swc.mjs', import.meta.url).href] : [] },
  );
  await once(child, 'message');
  return {
    cpuMs: async () => {
      child.send('cpu');
      const [usage] = (await once(child, 'message')) as [NodeJS.CpuUsage];
      return cpuMs(usage);
    },
    stop: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(JSON.stringify(await run(), undefined, 2));
