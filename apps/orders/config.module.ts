import { type DynamicModule, Global, Module } from '@nestjs/common';

/** Nest's token for the configuration. Its type is `OrdersConfig`. */
export const ORDERS_CONFIG = Symbol('orders config');

@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: object): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: ORDERS_CONFIG, useValue: config }],
      exports: [ORDERS_CONFIG],
    };
  }
}
