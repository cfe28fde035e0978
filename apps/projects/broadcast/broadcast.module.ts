import { Module } from '@nestjs/common';
import { ProjectChanges } from './project-changes.js';

@Module({ providers: [ProjectChanges], exports: [ProjectChanges] })
export class BroadcastModule {}
