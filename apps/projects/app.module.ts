import { type DynamicModule, Module } from '@nestjs/common';
import { auditController, DatabaseModule } from '#libs/database';
import { RpcModule } from '#libs/platform';
import { AccessModule } from './access/access.module.js';
import { BriefModule } from './brief/brief.module.js';
import { CustomerProjectModule } from './customer-project/customer-project.module.js';
import type { ProjectsConfig } from './config.js';
import { ConfigModule } from './config.module.js';
import { projectsDatabase } from './database.js';
import { EntryModule } from './entry/entry.module.js';
import { FileModule } from './file/file.module.js';
import type { PreviewOptions } from './file/preview-renderer.js';
import { InboundMailModule } from './inbound-mail/inbound-mail.module.js';
import type { MailReaderOptions } from './inbound-mail/isolated-mail-reader.js';
import { DeletedAccountModule } from './deleted-account/deleted-account.module.js';
import { DeliverableModule } from './deliverable/deliverable.module.js';
import { DemoDataModule } from './demo-data/demo-data.module.js';
import { OrderModule } from './order/order.module.js';
import { OwnDataModule } from './own-data/own-data.module.js';
import { ReminderModule } from './reminder/reminder.module.js';
import { ReportModule } from './report/report.module.js';
import { StaffProjectModule } from './staff-project/staff-project.module.js';
import { TemplateModule } from './template/template.module.js';
import { TeamModule } from './team/team.module.js';
import { ThreadModule } from './thread/thread.module.js';

@Module({})
export class AppModule {
  static forRoot(
    config: ProjectsConfig,
    mailReader: MailReaderOptions = {},
    previews: PreviewOptions = {},
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config, mailReader, previews),
        DatabaseModule.forRoot(projectsDatabase(config)),
        RpcModule.forRoot({ caller: 'projects', redisUrl: config.REDIS_URL }),
        ...[AccessModule, EntryModule, FileModule, InboundMailModule, TeamModule, ThreadModule],
        ...[BriefModule, CustomerProjectModule, DeliverableModule, OrderModule, ReminderModule],
        ...[StaffProjectModule, TemplateModule],
        ...[DeletedAccountModule, DemoDataModule, OwnDataModule, ReportModule],
      ],
      controllers: [auditController('projects')],
    };
  }
}
