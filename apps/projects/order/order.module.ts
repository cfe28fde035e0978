import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { BriefModule } from '../brief/brief.module.js';
import { DeliverableModule } from '../deliverable/deliverable.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { TemplateModule } from '../template/template.module.js';
import { OrderFollowerService } from './order-follower.service.js';
import { OrdersClient } from './orders.client.js';
import { ProjectCatchUp } from './project-catch-up.worker.js';
import { ProjectOpeningService } from './project-opening.service.js';

@Module({
  imports: [BriefModule, DeliverableModule, LifecycleModule, TemplateModule],
  controllers: [controllerOf(OrderFollowerService)],
  providers: [OrdersClient, ProjectOpeningService, OrderFollowerService, ProjectCatchUp],
})
export class OrderModule {}
