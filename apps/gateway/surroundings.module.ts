import { fileURLToPath } from 'node:url';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '#libs/platform';
import { Clock, SystemClock } from '#libs/runtime';
import { Broadcaster, RpcClient } from '#libs/transport';
import { GATEWAY_CONFIG, type GatewayConfig } from './config.js';
import { IMAGE_CHILD } from './images/image-processor.js';
import { SCALAR_SCRIPT } from './openapi/docs.controller.js';

/** Provided by the process for the modules. */
export interface Surroundings {
  config: GatewayConfig;
  logger: Logger;
  rpc: RpcClient;
  broadcaster: Broadcaster;
}

const besideThis = (file: string) => fileURLToPath(new URL(file, import.meta.url));

@Global()
@Module({})
export class SurroundingsModule {
  static with({ config, logger, rpc, broadcaster }: Surroundings): DynamicModule {
    const provided = [
      { provide: GATEWAY_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: Clock, useClass: SystemClock },
      { provide: RpcClient, useValue: rpc },
      { provide: Broadcaster, useValue: broadcaster },
      { provide: IMAGE_CHILD, useValue: { program: besideThis('./image-child.js'), execArgv: [] } },
      { provide: SCALAR_SCRIPT, useValue: besideThis('./scalar.js') },
    ];
    return { module: SurroundingsModule, providers: provided, exports: provided };
  }
}
