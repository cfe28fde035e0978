import { Module } from '@nestjs/common';
import { DeletedRecordRepository } from './deleted-record.repository.js';
import { DeletedRecordsSweeper } from './deleted-records.sweeper.js';
import { DeletionService } from './deletion.service.js';

/** Deleted messages and subscribers, which can be restored for an hour. */
@Module({
  providers: [DeletedRecordRepository, DeletedRecordsSweeper, DeletionService],
  exports: [DeletedRecordRepository, DeletionService],
})
export class DeletedModule {}
