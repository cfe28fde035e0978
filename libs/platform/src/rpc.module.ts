import { type DynamicModule, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ServiceName } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { LOGGER, type Logger } from './logger.js';
import { Metrics } from './metrics.js';

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
    // Not awaited: until the client is connected, calls wait as in an outage.
    void this.rpc.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rpc.close();
  }
}
