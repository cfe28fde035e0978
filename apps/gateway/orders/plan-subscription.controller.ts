import { type OperationInputs, planSubscriptionContract, planSubscriptionOperations } from '#libs/contracts';
import { RpcClient } from '#libs/transport';
import { CsvDownload } from '../csv/csv-download.js';
import { type Context, Serves } from '../routing/serves.js';
import { planSubscriptionColumns, subscriptionFigureColumns } from './plan-subscription.csv.js';

type Input = OperationInputs<typeof planSubscriptionOperations>;

@Serves(planSubscriptionOperations)
export class PlanSubscriptionController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly csv: CsvDownload,
  ) {}

  exportPlanSubscriptions(filter: Input['exportPlanSubscriptions'], { reply, caller }: Context) {
    return this.csv.send(reply, 'monthly-plans', planSubscriptionColumns, (range) =>
      this.rpc.call(planSubscriptionContract.listPlanSubscriptions, { ...filter, ...range }, caller),
    );
  }

  exportSubscriptionFigures(_: Input['exportSubscriptionFigures'], { reply, caller }: Context) {
    return this.csv.send(reply, 'monthly-plan-figures', subscriptionFigureColumns, async () => {
      const { months } = await this.rpc.call(planSubscriptionContract.getSubscriptionFigures, {}, caller);
      return { items: months, nextCursor: null };
    });
  }
}
