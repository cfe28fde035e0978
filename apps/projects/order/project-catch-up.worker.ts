import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask } from '#libs/runtime';
import { ProjectOrderRepository } from '../project/project-order.repository.js';
import { OrderFollowerService } from './order-follower.service.js';
import { OrdersClient } from './orders.client.js';

const everyMs = 3 * 60_000;
/** One in this many runs, about every five hours, reads all orders again. */
const fullRunEvery = 100;
const pageSize = 500;

/**
 * Opens projects for orders that were paid before the site had projects, or whose event did not arrive. Each run begins where the last one ended. If
 * a project could not be opened, the next run begins with the page of its order.
 */
@Injectable()
export class ProjectCatchUp implements OnApplicationBootstrap, OnModuleDestroy {
  private lastReadId: string | null = null;
  private runs = 0;
  private isStopped = false;
  private readonly task: PeriodicTask;

  constructor(
    private readonly client: OrdersClient,
    private readonly orders: ProjectOrderRepository,
    private readonly follower: OrderFollowerService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({
      everyMs,
      run: () => this.run(),
      onError: (error) => logger.warn({ err: error }, 'Looking for paid orders without a project failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
    this.task.runSoon();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    await this.task.stop();
  }

  async run(): Promise<void> {
    if (this.runs % fullRunEvery === 0) this.lastReadId = null;
    let lastReadId = this.lastReadId;
    let isComplete = true;
    while (!this.isStopped) {
      const ids = await this.client.listPaidOrderIds(lastReadId, pageSize);
      if (!(await this.openMissing(ids))) isComplete = false;
      lastReadId = ids.at(-1) ?? lastReadId;
      if (isComplete) this.lastReadId = lastReadId;
      if (ids.length < pageSize) break;
    }
    this.runs += 1;
  }

  /** Returns false if an order failed, or if the worker was stopped. An order that fails does not keep the others waiting. */
  private async openMissing(ids: readonly string[]): Promise<boolean> {
    const known = await this.orders.idsWithProject(ids);
    let isComplete = true;
    for (const id of ids) {
      if (this.isStopped) return false;
      if (known.has(id)) continue;
      try {
        await this.follower.follow(id, { isNews: false });
      } catch (error) {
        isComplete = false;
        this.logger.warn({ err: error, orderId: id }, 'Opening the project of an order failed');
      }
    }
    return isComplete;
  }
}
