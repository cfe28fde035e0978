import { Module } from '@nestjs/common';
import { repeated } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { BillingMemberRepository } from './billing-member.repository.js';
import { BillingMemberService } from './billing-member.service.js';

@Module({
  controllers: [controllerOf(BillingMemberService)],
  providers: [
    ...[BillingMemberRepository, BillingMemberService],
    repeated(
      BillingMemberService,
      60_000,
      (members) => members.reconcile(),
      'Comparing the members of teams with projects failed',
    ),
  ],
  exports: [BillingMemberRepository],
})
export class BillingMemberModule {}
