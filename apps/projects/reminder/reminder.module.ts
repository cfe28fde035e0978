import { Module } from '@nestjs/common';
import { repeatedWork } from '#libs/platform';
import { EntryModule } from '../entry/entry.module.js';
import { ProjectModule } from '../project/project.module.js';
import { TemplateModule } from '../template/template.module.js';
import { ReminderWorker } from './reminder.worker.js';

const everyMs = 60_000;

@Module({
  imports: [EntryModule, ProjectModule, TemplateModule],
  providers: [
    ReminderWorker,
    repeatedWork(ReminderWorker, everyMs, (reminders) => reminders.run(), 'Reminding customers failed'),
  ],
})
export class ReminderModule {}
