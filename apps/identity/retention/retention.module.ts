import { Module } from '@nestjs/common';
import { repeatedWork } from '#libs/platform';
import { RetentionWorker } from './retention.worker.js';

@Module({
  providers: [
    RetentionWorker,
    repeatedWork(RetentionWorker, 10 * 60_000, (worker) => worker.sweep(), 'Deleting old rows failed'),
  ],
})
export class RetentionModule {}
