import { Module } from '@nestjs/common';
import { repeatedWork } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { BillingMemberRepository } from './billing-member.repository.js';
import { BillingMemberService } from './billing-member.service.js';

@Module({
  controllers: [controllerOf(BillingMemberService)],
  providers: [
    ...[BillingMemberRepository, BillingMemberService],
    repeatedWork(
      BillingMemberService,
      60_000,
      (members) => members.reconcile(),
      'The comparison of billing members with the projects service failed',
    ),
  ],
  exports: [BillingMemberRepository],
})
export class BillingMemberModule {}
