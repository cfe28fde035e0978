import { type DynamicModule, Module } from '@nestjs/common';
import { RecipientLimits } from '#libs/database';
import { Clock } from '#libs/runtime';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';
import { AccountMailService } from './account-mail.service.js';
import { BroadcastService } from './broadcast.service.js';
import { SecretSealer } from './secret-sealer.js';

@Module({})
export class CoreModule {
  static forRoot(config: IdentityConfig, clock: Clock): DynamicModule {
    return {
      module: CoreModule,
      global: true,
      providers: [
        { provide: IDENTITY_CONFIG, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: SecretSealer, useValue: new SecretSealer(config.KEY_ENCRYPTION_SECRET) },
        AccountMailService,
        BroadcastService,
        RecipientLimits,
      ],
      exports: [IDENTITY_CONFIG, Clock, SecretSealer, AccountMailService, BroadcastService, RecipientLimits],
    };
  }
}
