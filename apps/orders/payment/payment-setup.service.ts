import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PaymentSetup, setupContract, setupStateOf } from '#libs/contracts';
import { Handles } from '#libs/transport';
import { PaymentProviders } from './payment-providers.js';

/** The step of the setup guide about receiving payments. */
@Injectable()
export class PaymentSetupService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly providers: PaymentProviders,
  ) {}

  @Handles(setupContract.paymentSetup)
  async getSetup(): Promise<PaymentSetup> {
    const provider = this.providers.forSinglePayments;
    return {
      state: setupStateOf(await provider.findReceiver(this.dataSource.manager)),
      recordId: await provider.findReceiverRecordId(),
    };
  }
}
