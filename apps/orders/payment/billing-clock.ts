import { Module } from '@nestjs/common';
import { Clock } from '#libs/runtime';

/** The time by which a provider charges: real time, except with a simulator, whose clock can be moved. */
export class BillingClock extends Clock {
  /** Negative while demo data is made. */
  aheadMs = 0;

  constructor(private readonly real: Clock) {
    super();
  }

  override now(): Date {
    return new Date(this.real.now().getTime() + this.aheadMs);
  }
}

@Module({
  providers: [
    { provide: BillingClock, inject: [Clock], useFactory: (real: Clock) => new BillingClock(real) },
  ],
  exports: [BillingClock],
})
export class BillingClockModule {}
