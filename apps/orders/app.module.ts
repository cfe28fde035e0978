import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database';
import type { OrdersConfig } from './config.js';
import { ordersDatabase } from './database.js';

@Module({})
export class AppModule {
  static forRoot(config: OrdersConfig): DynamicModule {
    return { module: AppModule, imports: [DatabaseModule.forRoot(ordersDatabase(config))] };
  }
}
