import { Inject } from '@nestjs/common';
import { demoDataContract, demoDataOperations, DomainError } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { usesOnlySimulators } from '../checkout-settings.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';
import { type Context, Serves } from '../routing/serves.js';

const none = { orders: 0, projects: 0, customers: 0, messages: 0, subscribers: 0, campaigns: 0 };

/** Counts and removes demo data only if every payment provider is simulated. A removal that failed in one service can be repeated. */
@Serves(demoDataOperations)
export class DemoDataController {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  async getDemoData(_: object, { caller }: Context) {
    if (!usesOnlySimulators(this.config)) return none;
    const [orders, projects, accounts, messaging] = await Promise.all([
      this.rpc.call(demoDataContract.countOrders, {}, caller),
      this.rpc.call(demoDataContract.countProjects, {}, caller),
      this.rpc.call(demoDataContract.countAccounts, {}, caller),
      this.rpc.call(demoDataContract.countMessaging, {}, caller),
    ]);
    return { ...orders, ...projects, ...accounts, ...messaging };
  }

  async removeDemoData(_: object, { caller }: Context) {
    if (!usesOnlySimulators(this.config)) throw new DomainError('NOT_FOUND');
    const [orders, projects, accounts, messaging] = await Promise.all([
      this.rpc.call(demoDataContract.removeOrders, {}, caller),
      this.rpc.call(demoDataContract.removeProjects, {}, caller),
      this.rpc.call(demoDataContract.removeAccounts, {}, caller),
      this.rpc.call(demoDataContract.removeMessaging, {}, caller),
    ]);
    return { ...orders, ...projects, ...accounts, ...messaging };
  }
}
