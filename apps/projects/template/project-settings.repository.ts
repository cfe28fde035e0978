import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ProjectSettingsEntity } from './project-settings.entity.js';

@Injectable()
export class ProjectSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Before the settings are saved for the first time, they have version 0 and no reminders. */
  async get(manager: EntityManager = this.dataSource.manager): Promise<ProjectSettingsEntity> {
    return (
      (await manager.findOneBy(ProjectSettingsEntity, { id: 1 })) ??
      Object.assign(new ProjectSettingsEntity(), { version: 0 })
    );
  }

  /** Like `get`, but other changes wait until the transaction ends, even while there is no row yet. */
  async lock(tx: EntityManager): Promise<ProjectSettingsEntity> {
    await tx.query('LOCK TABLE project_settings IN SHARE ROW EXCLUSIVE MODE');
    return this.get(tx);
  }

  async save(tx: EntityManager, settings: ProjectSettingsEntity): Promise<void> {
    await tx.save(ProjectSettingsEntity, settings);
  }
}
