import { Module } from '@nestjs/common';
import { KeyRotationWorker } from './key-rotation.worker.js';
import { KeyController } from './key.controller.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import { SigningKeyService } from './signing-key.service.js';

@Module({
  controllers: [KeyController],
  providers: [SigningKeyRepository, SigningKeyService, KeyRotationWorker],
  exports: [SigningKeyService],
})
export class KeyModule {}
