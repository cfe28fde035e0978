import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { KeyRotationWorker } from './key-rotation.worker.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import { SigningKeyService } from './signing-key.service.js';

@Module({
  controllers: [controllerOf(SigningKeyService)],
  providers: [SigningKeyRepository, SigningKeyService, KeyRotationWorker],
  exports: [SigningKeyService],
})
export class KeyModule {}
