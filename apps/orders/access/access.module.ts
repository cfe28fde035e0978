import { Module } from '@nestjs/common';
import { BillingMemberModule } from '../billing-member/billing-member.module.js';
import { RecordAccess } from './record-access.js';

@Module({ imports: [BillingMemberModule], providers: [RecordAccess], exports: [RecordAccess] })
export class AccessModule {}
