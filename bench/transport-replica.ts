// One replica for bench/transport.ts: `node transport-replica.js <redisUrl>`.
import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { Handles, StreamsServer } from '#libs/transport';
import { echo, spin } from './transport-contracts.js';

@Controller()
class Replica {
  @Handles(echo)
  echo(@Payload() input: { text: string }) {
    return input;
  }

  @Handles(spin)
  spin(@Payload() { ms }: { ms: number }) {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return {};
  }
}

@Module({ controllers: [Replica] })
class ReplicaModule {}

const redisUrl = process.argv[2] ?? 'redis://127.0.0.1:6379';
// Poses as content, because patterns of calls have to begin with the name of a service.
const app = await NestFactory.createMicroservice(ReplicaModule, {
  strategy: new StreamsServer({ service: 'content', redisUrl }),
  logger: ['error', 'warn'],
});
await app.listen();
process.on('message', (message) => {
  if (message === 'cpu') process.send?.(process.cpuUsage());
});
process.on('disconnect', () => void app.close());
process.send?.('ready');
