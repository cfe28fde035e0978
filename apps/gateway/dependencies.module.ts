import { fileURLToPath } from 'node:url';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '#libs/platform';
import { Clock, SystemClock } from '#libs/runtime';
import { Broadcaster, RpcClient } from '#libs/transport';
import { GATEWAY_CONFIG, type GatewayConfig } from './config.js';
import { type ChildProgram, IMAGE_CHILD } from './images/image-processor.js';
import { SCALAR_PATH } from './openapi/docs.controller.js';

export interface GatewayDependencies {
  config: GatewayConfig;
  logger: Logger;
  rpc: RpcClient;
  broadcaster: Broadcaster;
  /** Default: `image-child.js` beside the compiled gateway. */
  imageChild?: ChildProgram;
  /** Default: `scalar.js` beside the compiled gateway. */
  scalarPath?: string;
}

const besideProgram = (file: string) => fileURLToPath(new URL(file, import.meta.url));

@Global()
@Module({})
export class DependenciesModule {
  static with({ config, logger, rpc, broadcaster, ...others }: GatewayDependencies): DynamicModule {
    const { imageChild = { program: besideProgram('./image-child.js'), execArgv: [] } } = others;
    const { scalarPath = besideProgram('./scalar.js') } = others;
    const provided = [
      { provide: GATEWAY_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: Clock, useClass: SystemClock },
      { provide: RpcClient, useValue: rpc },
      { provide: Broadcaster, useValue: broadcaster },
      { provide: IMAGE_CHILD, useValue: imageChild },
      { provide: SCALAR_PATH, useValue: scalarPath },
    ];
    return { module: DependenciesModule, providers: provided, exports: provided };
  }
}
