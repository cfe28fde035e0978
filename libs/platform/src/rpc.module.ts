import { type DynamicModule, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ServiceName } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { LOGGER, type Logger } from './logger.js';
import { Metrics } from './metrics.js';

/** For a service that calls other services: `RpcClient`, to inject anywhere in it. */
@Module({})
export class RpcModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly rpc: RpcClient) {}

  static forRoot({ caller, redisUrl }: { caller: ServiceName; redisUrl: string }): DynamicModule {
    return {
      module: RpcModule,
      global: true,
      providers: [
        {
          provide: RpcClient,
          inject: [LOGGER, Metrics],
          useFactory: (logger: Logger, { observer }: Metrics) =>
            new RpcClient({ redisUrl, caller, logger, observer }),
        },
      ],
      exports: [RpcClient],
    };
  }

  onModuleInit(): void {
    // The start does not wait for the connection: calls made before it is open wait as in an outage (`outageToleranceMs`).
    void this.rpc.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rpc.close();
  }
}
