import { Module } from '@nestjs/common';
import { RetentionWorker } from './retention.worker.js';

@Module({ providers: [RetentionWorker] })
export class RetentionModule {}
