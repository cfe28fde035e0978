import { Module } from '@nestjs/common';
import { repeatedWork } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { KeyRotationWorker } from './key-rotation.worker.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import { SigningKeyService } from './signing-key.service.js';

@Module({
  controllers: [controllerOf(SigningKeyService)],
  providers: [
    ...[SigningKeyRepository, SigningKeyService, KeyRotationWorker],
    repeatedWork(
      KeyRotationWorker,
      30_000,
      (worker) => worker.rotateIfDue(),
      'Rotating the signing keys failed',
    ),
  ],
  exports: [SigningKeyService],
})
export class KeyModule {}
