import { Controller, type INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { EventContract, EventPayload, ServiceName } from '#libs/contracts';
import { type EventContext, OnEvent, StreamsServer } from '#libs/transport';

export type FollowedEvent<E extends EventContract> = EventPayload<E> & { event: string; eventId: string };

/** Follows the events in the name of the service `followsAs`, which must not use the same Redis: each event would reach only one of the two. */
export async function followEvents<E extends EventContract>(
  redisUrl: string,
  followsAs: ServiceName,
  contracts: readonly E[],
  onEvent: (event: FollowedEvent<E>) => void,
): Promise<INestMicroservice> {
  const controllers = contracts.map((contract) => {
    @Controller()
    class FollowerController {
      @OnEvent(contract)
      follow(payload: unknown, { eventId }: EventContext): void {
        onEvent({ ...(payload as object), event: contract.event, eventId } as FollowedEvent<E>);
      }
    }
    return FollowerController;
  });
  const testing = await Test.createTestingModule({ controllers }).compile();
  const app = testing.createNestMicroservice({
    strategy: new StreamsServer({ service: followsAs, redisUrl }),
    logger: false,
  });
  await app.listen();
  return app;
}
