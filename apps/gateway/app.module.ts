import { type DynamicModule, Module } from '@nestjs/common';
import { AdminUserModule } from './admin-user/admin-user.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ContentModule } from './content/content.module.js';
import { DemoDataModule } from './demo-data/demo-data.module.js';
import { FrontDoorModule } from './front-door/front-door.module.js';
import { ImagesModule } from './images/images.module.js';
import { InboundMailModule } from './inbound-mail/inbound-mail.module.js';
import { MessagingModule } from './messaging/messaging.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { OwnDataModule } from './own-data/own-data.module.js';
import { PagesModule } from './pages/pages.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { PolicyModule } from './policy/policy.module.js';
import { ProblemModule } from './problem/problem.module.js';
import { ProjectFilesModule } from './project-files/project-files.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { SetupModule } from './setup/setup.module.js';
import { type GatewayDependencies, DependenciesModule } from './dependencies.module.js';

@Module({})
export class AppModule {
  static with(dependencies: GatewayDependencies): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DependenciesModule.with(dependencies),
        ...[FrontDoorModule, PolicyModule, ProblemModule],
        ...[AuthModule, OwnDataModule, AdminUserModule, AuditModule],
        ...[ContentModule, SetupModule, ImagesModule, PagesModule, OpenApiModule],
        ...[
          MessagingModule,
          OrdersModule,
          PaymentsModule,
          ProjectsModule,
          ProjectFilesModule,
          InboundMailModule,
          DemoDataModule,
        ],
      ],
    };
  }
}
