import { Module } from '@nestjs/common';
import { repeatedWork } from '#libs/platform';
import { DeletedRecordRepository } from './deleted-record.repository.js';
import { DeletionService } from './deletion.service.js';

@Module({
  providers: [
    ...[DeletedRecordRepository, DeletionService],
    repeatedWork(
      DeletedRecordRepository,
      60_000,
      (records) => records.deleteExpired(),
      'Sweeping deleted records failed',
    ),
  ],
  exports: [DeletedRecordRepository, DeletionService],
})
export class DeletedRecordModule {}
