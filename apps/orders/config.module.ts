import { type DynamicModule, Global, Module } from '@nestjs/common';
import { RENDERING_OPTIONS, type RenderingOptions } from './invoice-file/rendering-thread.js';

/** The injection token of `OrdersConfig`. */
export const ORDERS_CONFIG = Symbol('orders config');

@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: object, rendering: RenderingOptions): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: ORDERS_CONFIG, useValue: config },
        { provide: RENDERING_OPTIONS, useValue: rendering },
      ],
      exports: [ORDERS_CONFIG, RENDERING_OPTIONS],
    };
  }
}
