import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ProjectSettingsEntity } from './project-settings.entity.js';

/** The table `project_settings`. */
@Injectable()
export class ProjectSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Without reminders, and version 0, before they are saved for the first time. */
  async find(manager: EntityManager = this.dataSource.manager): Promise<ProjectSettingsEntity> {
    return (
      (await manager.findOneBy(ProjectSettingsEntity, { id: 1 })) ??
      Object.assign(new ProjectSettingsEntity(), { version: 0 })
    );
  }

  /** The same; other changes wait until the transaction ends, also before the first one is stored. */
  async lock(tx: EntityManager): Promise<ProjectSettingsEntity> {
    await tx.query('LOCK TABLE project_settings IN SHARE ROW EXCLUSIVE MODE');
    return this.find(tx);
  }

  async save(tx: EntityManager, settings: ProjectSettingsEntity): Promise<void> {
    await tx.save(ProjectSettingsEntity, settings);
  }
}
